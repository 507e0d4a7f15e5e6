import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import { toForecastResponse, type ForecastResponse } from './dto/forecast.dto.js';
import { forecast } from './forecast.js';
import type { Opening } from './opening.js';
import type { Plan } from './plan.js';
import type { PlannedCycle, StoredCycle } from './planned-cycle.js';
import { plannedEntry, type PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import type { PlannedBudget } from './set-aside.js';

const QUERY: ForecastQuery = {
  today: '2026-01-10',
  to: '2026-01-20',
  freeUntil: '2026-01-20',
  currency: null,
  paymentMethodId: null,
  openingBalance: null,
  minimumBalance: 0n,
  include: ['days', 'entries'],
  setsBudgetsAside: false,
};

const STORED: StoredCycle = {
  id: 'c1',
  name: 'January, first half',
  startDate: '2026-01-01',
  endDate: '2026-01-15',
  status: 'active',
  side: false,
  incomeAmount: 500_00n,
  remainingBalance: 0n,
  settled: 100_00n,
};
const PROPOSED: PlannedCycle = {
  id: null,
  name: '2026-01-16 to 2026-01-31',
  startDate: '2026-01-16',
  endDate: '2026-01-31',
  incomeAmount: 500_00n,
};

/** `-30 2026-01-05 Gas` is an expense of 30.00. */
function entry(text: string, fields: Partial<PlannedEntry> = {}): PlannedEntry {
  const [value = '', date = '', description = ''] = text.split(' ');
  const amount = centsOf(new Big(value).abs());
  return plannedEntry({
    type: value.startsWith('-') ? 'cycle_expense' : 'cycle_income',
    cycle: STORED,
    date,
    id: description,
    description,
    currency: 'USD',
    amount,
    amountUsd: amount,
    ...fields,
  });
}

const income = (cycle: PlannedCycle): PlannedEntry =>
  entry(`500 ${cycle.startDate}`, {
    type: 'cycle',
    cycle,
    description: cycle.name,
    id: cycle.id,
  });

const opening = (balance: Cents): Opening => ({ source: 'plan', statedAt: null, balance });

const plan = (entries: PlannedEntry[], fields: Partial<Plan> = {}): Plan => ({
  cycles: [STORED, PROPOSED],
  entries,
  cards: { counting: new Map(), sums: new Map(), timeZone: 'UTC' },
  purchases: [],
  newEntryCount: 0,
  opening: opening(100_00n),
  inactiveHoldings: [],
  budgets: [],
  gaps: [],
  storedCycles: [STORED],
  openInCompleted: [],
  ...fields,
});

const budget = (id: string, name: string, left: Cents): PlannedBudget => ({
  ...{ cycle: STORED, id, name, currency: 'USD', left, leftUsd: left, pesos: [] },
});

const forecastOf = async (of: Plan, query: ForecastQuery): Promise<ForecastResponse> =>
  toForecastResponse(await forecast(of, query));

describe('a forecast', () => {
  it('an empty one is one window', async () => {
    const result = await forecastOf(plan([], { cycles: [], opening: opening(0n) }), QUERY);
    expect(result).toMatchObject({
      opening_balance: '0.00',
      closing_balance: '0.00',
      lowest: { date: '2026-01-10', balance: '0.00' },
      pay_windows: [
        { from: '2026-01-10', to: '2026-01-20', closing_balance: '0.00', free: '0.00' },
      ],
      cycles: [],
      entries: [],
      entries_left_out: 0,
      warnings: [],
    });
    expect(result.days).toHaveLength(11);
  });

  // 100 + 40 (late) - 30 (overdue) = 110 on the 10th; -90 on the 12th: 20; +500 on the 16th: 520; -600 on the 18th: -80;
  // +70 on the 20th: -10. After the 20th nothing counts.
  const ENTRIES = [
    income(PROPOSED),
    entry('-30 2026-01-05 Gas'),
    entry('-90 2026-01-12 Phone'),
    entry('40 2026-01-08 Loan'),
    entry('-600 2026-01-18 Rent', { cycle: PROPOSED, id: null }),
    entry('-5 2026-01-21 Later', { cycle: PROPOSED, id: null }),
    entry('70 2026-01-20 Side', { cycle: PROPOSED, id: null }),
  ];

  it('windows begin today and on the days on which money comes in', async () => {
    const { pay_windows, lowest, overdue, closing_balance } = await forecastOf(
      plan(ENTRIES),
      QUERY,
    );
    expect(
      pay_windows.map((w) => [
        w.from,
        w.to,
        w.incomes,
        w.expenses,
        w.expense_count,
        w.closing_balance,
        w.free,
      ]),
    ).toEqual([
      ['2026-01-10', '2026-01-15', '40.00', '120.00', 2, '20.00', '0.00'],
      ['2026-01-16', '2026-01-19', '500.00', '600.00', 1, '-80.00', '0.00'],
      ['2026-01-20', '2026-01-20', '70.00', '0.00', 0, '-10.00', '0.00'],
    ]);
    expect(lowest).toEqual({ date: '2026-01-18', balance: '-80.00' });
    expect(overdue).toEqual({
      expenses: '30.00',
      expense_count: 1,
      incomes: '40.00',
      income_count: 1,
    });
    expect(closing_balance).toBe('-10.00');
  });

  it('what is free is the least of this and all later days above the minimum, without what is late', async () => {
    const query = { ...QUERY, minimumBalance: 50_00n };
    const from300 = plan(ENTRIES, { opening: opening(300_00n) });
    const { pay_windows, warnings } = await forecastOf(from300, query);
    // 310, 220, 120 and 190 at the ends, of which 40 are late.
    expect(pay_windows.map(({ free }) => free)).toEqual(['30.00', '30.00', '100.00']);
    expect(pay_windows.map(({ limited_by }) => limited_by)).toEqual([
      { date: '2026-01-18', balance: '80.00' },
      { date: '2026-01-18', balance: '80.00' },
      { date: '2026-01-20', balance: '150.00' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('what counts after the last day limits what is free alone', async () => {
    const query = { ...QUERY, freeUntil: '2026-01-22' };
    const later = entry('-700 2026-01-21 Trip', { cycle: null });
    const fields = { opening: opening(900_00n) };
    const found = await forecastOf(plan([...ENTRIES, later], fields), query);
    const { pay_windows, days, entries, cycles, ...others } = found;
    const until = await forecastOf(plan(ENTRIES, fields), { ...query, freeUntil: query.to });
    expect({ days, entries, cycles }).toEqual({
      ...{ days: until.days, entries: until.entries, cycles: until.cycles },
    });
    expect(others).toMatchObject({ closing_balance: '790.00', warnings: [] });
    // 790.00 minus 5.00 and 700.00, without 40.00 that are late.
    const limit = { free: '45.00', limited_by: { date: '2026-01-21', balance: '45.00' } };
    expect(pay_windows).toMatchObject(
      until.pay_windows.map(({ from, to }) => ({ from, to, ...limit })),
    );
  });

  it('what is left of a budget counts day by day, until the last day of its cycle', async () => {
    const budgets = [
      // 6 of the 15 days are left.
      budget('b2', 'Food', 100_00n),
      budget('b1', 'Exhausted', 0n),
      { ...budget('b3', 'Cash', 16n), cycle: PROPOSED },
      { ...budget('b4', 'A cent', 1n), cycle: PROPOSED },
    ];
    const query = { ...QUERY, freeUntil: '2026-01-31' };
    const phone = entry('-7 2026-01-12 Phone');
    const found = await forecastOf(plan([phone], { opening: opening(500_00n), budgets }), query);
    const days = found.days?.map(({ expenses, set_aside, balance }) => [
      ...[expenses, set_aside, balance],
    ]);
    expect(days).toEqual([
      ['16.66', '16.66', '483.34'],
      ['16.67', '16.67', '466.67'],
      ['23.67', '16.67', '443.00'],
      ['16.66', '16.66', '426.34'],
      ['16.67', '16.67', '409.67'],
      ['16.67', '16.67', '393.00'],
      ['0.01', '0.01', '392.99'],
      ['0.01', '0.01', '392.98'],
      ['0.01', '0.01', '392.97'],
      ['0.01', '0.01', '392.96'],
      ['0.01', '0.01', '392.95'],
    ]);
    expect(found.pay_windows).toMatchObject([
      {
        ...{ expenses: '107.05', expense_count: 1, set_aside: '100.05' },
        // The rest of 0.16, and the cent.
        ...{ closing_balance: '392.95', free: '392.83' },
        limited_by: { date: '2026-01-31', balance: '392.83' },
      },
    ]);
    expect(found.cycles.map(({ expenses }) => expenses)).toEqual(['107.00', '0.05']);
    expect(found.entries?.map((e) => [e.date, e.entry_date, e.description, e.amount])).toEqual([
      ['2026-01-12', '2026-01-12', 'Phone', '7.00'],
      ['2026-01-15', '2026-01-15', 'Food', '100.00'],
      // Nothing of the cent counts yet.
      ['2026-01-20', '2026-01-20', 'Cash', '0.05'],
    ]);
  });

  it('what is set aside counts among the new entries', async () => {
    const full = { budgets: [budget('b', 'Food', 1n)], newEntryCount: 4999 };
    await expect(forecastOf(plan([], full), QUERY)).resolves.toBeDefined();
    await expect(forecastOf(plan([], { ...full, newEntryCount: 5000 }), QUERY)).rejects.toThrow(
      'more than 5000',
    );
  });

  it('the cycles have what counts of them, and together the difference of the balances', async () => {
    const { cycles, opening_balance, closing_balance } = await forecastOf(plan(ENTRIES), QUERY);
    expect(cycles.map((c) => [c.source, c.incomes, c.expenses, c.closing_balance])).toEqual([
      ['stored', '40.00', '120.00', '20.00'],
      ['proposed', '570.00', '600.00', '-10.00'],
    ]);
    const sum = cycles.reduce((s, c) => s.plus(c.incomes).minus(c.expenses), new Big(0));
    expect(sum.eq(new Big(closing_balance).minus(opening_balance))).toBe(true);
  });

  it('entries are shown by day, kind and own date, as created', async () => {
    const entries = [
      entry('-1 2026-01-10 today'),
      entry('-1 2026-01-09 yesterday'),
      entry('-1 2026-01-09 generated', { id: null }),
      entry('1 2026-01-02 income'),
    ];
    const shown = (await forecastOf(plan(entries), QUERY)).entries ?? [];
    expect(
      shown.map(({ date, entry_date, description }) => [date, entry_date, description]),
    ).toEqual([
      ['2026-01-10', '2026-01-09', 'yesterday'],
      ['2026-01-10', '2026-01-09', 'generated'],
      ['2026-01-10', '2026-01-10', 'today'],
      ['2026-01-10', '2026-01-02', 'income'],
    ]);
  });

  it('the first 2,000 entries are shown, and how many there are more', async () => {
    const entries = Array.from({ length: 2003 }, (_, n) => entry(`-1 2026-01-1${n % 2} E${n}`));
    const { entries: shown, entries_left_out } = await forecastOf(plan(entries), QUERY);
    expect(shown).toHaveLength(2000);
    expect(entries_left_out).toBe(3);
    expect(await forecastOf(plan(entries), { ...QUERY, include: [] })).toMatchObject({
      days: null,
      entries: null,
      entries_left_out: null,
    });
  });

  it('in a currency the amounts are in it', async () => {
    const peso = entry('-200 2026-01-11 Tacos', { currency: 'MXN', amountUsd: 10_00n });
    expect(await forecastOf(plan([peso]), { ...QUERY, currency: 'MXN' })).toMatchObject({
      opening_balance: '100.00',
      closing_balance: '-100.00',
      entries: [{ amount: '200.00', amount_usd: '10.00' }],
    });
  });

  it('warnings name cycles that share days, that have ended, and the balance below the minimum', async () => {
    const other = {
      ...STORED,
      id: 'c2',
      name: 'Trip',
      startDate: '2026-01-14',
      endDate: '2026-01-16',
    };
    const ended = {
      ...STORED,
      id: 'c0',
      name: 'Old',
      startDate: '2025-12-01',
      endDate: '2026-01-09',
      remainingBalance: 7_00n,
    };
    const { warnings } = await forecastOf(
      plan([entry('-101 2026-01-12 TV')], { cycles: [ended, STORED, other] }),
      QUERY,
    );
    expect(Object.fromEntries(warnings.map(({ code, details }) => [code, details]))).toEqual({
      negative_balance: {
        first: { date: '2026-01-12', balance: '-1.00' },
        lowest: { date: '2026-01-12', balance: '-1.00' },
      },
      ended_cycles: {
        cycles: [{ id: 'c0', name: 'Old', end_date: '2026-01-09', remaining_balance: '7.00' }],
        more: 0,
      },
      overlaps_cycle: {
        cycles: [
          {
            id: 'c1',
            name: 'January, first half',
            start_date: '2026-01-01',
            end_date: '2026-01-15',
          },
          { id: 'c2', name: 'Trip', start_date: '2026-01-14', end_date: '2026-01-16' },
        ],
        more: 0,
      },
    });
  });
});
