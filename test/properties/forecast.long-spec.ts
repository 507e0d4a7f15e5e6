import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { cents, money, sumOf } from '../model/cents.js';
import { without } from '../model/views.js';
import type { Client } from '../support/client.js';
import { setTime } from '../support/clock.js';
import { dueDays } from '../support/due-days.js';
import { createHousehold, CYCLE_MAX_DAYS, readHousehold } from '../support/forecast-data.js';
import {
  forecastOf,
  whatIfOf,
  type ForecastParameters,
  type ModelForecast,
} from '../support/forecast-model.js';
import { cyclesThatFollow, plusDays } from '../support/forecast-periods.js';
import { hasOccurrence, type Change } from '../support/forecast-plan.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { isOpenCycle, type Household, type StoredEntry } from '../support/stored-household.js';
import {
  anyAddition,
  anyHousehold,
  anyQuery,
  requestOf,
  type RandomHousehold,
} from './random-households.js';

jest.setTimeout(600_000);

const service = useService({ cycleMaxDays: CYCLE_MAX_DAYS });

/** Of both directions: the first and the last ones were stale, or are in the future. */
const RATES = [
  ['MXN', 'USD', '0.048765', '2026-01-05'],
  ['USD', 'MXN', '17.5', '2026-02-20'],
  ['MXN', 'USD', '0.051234', '2026-03-01'],
  ['USD', 'MXN', '19.8', '2026-03-01'],
  ['USD', 'MXN', '21.123456', '2026-05-10'],
] as const;

beforeAll(async () => {
  for (const rate of RATES) {
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ($1, $2, $3, $4)`,
      [...rate],
    );
  }
});
afterAll(() => {
  jest.useRealTimers();
});

interface WhatIf {
  base: ModelForecast;
  changed: ModelForecast;
  difference: Record<string, string>;
}

/** Makes a household on its day in Mexico, when it is the next day in UTC. */
async function settle(plan: RandomHousehold): Promise<{ user: Client; household: Household }> {
  setTime(`${plusDays(plan.today, 1)}T03:00:00Z`);
  const user = await createHousehold(service, plan);
  return { user, household: await readHousehold(service, user, () => plan.today) };
}

async function forecast(
  user: Client,
  { include, ...others }: ForecastParameters = {},
): Promise<ModelForecast> {
  const query = new URLSearchParams({ ...others, ...(include && { include: include.join(',') }) });
  return comparable(await user.read<ModelForecast>(`/forecast?${query.toString()}`));
}

async function whatIf(
  user: Client,
  parameters: ForecastParameters,
  changes: readonly Change[],
): Promise<WhatIf> {
  const response = await user.post('/forecast', { ...parameters, changes }).expect(200);
  const { base, changed, difference } = response.body as WhatIf;
  return { base: comparable(base), changed: comparable(changed), difference };
}

interface StaleEntry {
  template_id: string;
  date: string;
}

/** Without the messages of warnings, and without the rates of entries with a stale one. */
function comparable(found: ModelForecast): ModelForecast {
  const warnings = found.warnings.map(({ code, details }) => {
    if (code !== 'stale_rate') return { code, details };
    const entries = (details.entries as StaleEntry[]).map(({ template_id, date }) => ({
      template_id,
      date,
    }));
    return { code, details: { ...details, entries } };
  });
  return { ...found, warnings };
}

const sorted = (found: ModelForecast): ModelForecast => ({
  ...found,
  warnings: [...found.warnings].sort((a, b) => (a.code < b.code ? -1 : 1)),
});

const total = (amounts: readonly string[]): bigint => sumOf(amounts.map(cents));

/** What the windows and the sums of a forecast promise. */
function expectConsistency(found: ModelForecast): void {
  const { today, to, pay_windows: windows, cycles } = found;
  expect(windows[0]?.from).toBe(today);
  expect(windows.at(-1)?.to).toBe(to);
  for (const [index, { from, to: last }] of windows.entries()) {
    expect(from <= last).toBe(true);
    const next = windows[index + 1];
    if (next) expect(next.from).toBe(plusDays(last, 1));
  }
  const change = total(cycles.map(({ incomes }) => incomes)) - total(cycles.map((c) => c.expenses));
  expect(money(cents(found.closing_balance) - cents(String(found.opening_balance)))).toBe(
    money(change),
  );
}

describe('a forecast', () => {
  it('equals a computation day by day, without and with changes', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, anyQuery, async (plan, query) => {
        const { user, household } = await settle(plan);
        const { parameters, changes } = requestOf(household, query);
        const found = await forecast(user, parameters);
        expect(sorted(found)).toEqual(sorted(forecastOf(household, parameters)));
        expectConsistency(found);
        const { base, changed, difference } = await whatIf(user, parameters, changes);
        const expected = whatIfOf(household, parameters, changes);
        expect(base).toEqual(found);
        expect(sorted(changed)).toEqual(sorted(expected.changed));
        expect(difference).toEqual(expected.difference);
      }),
      longRuns(30),
    );
  });

  it('names 2,000 entries and 20 elements of a list, and how many more there are', async () => {
    const today = '2026-04-20';
    setTime(`${today}T12:00:00Z`);
    const user = await service.signUp();
    const daily = { recurrence_type: 'bi_weekly', recurrence_config: { interval_days: 1 } };
    for (let n = 0; n < 6; n += 1) await user.createTemplate({ ...daily, currency: 'MXN' });
    for (let n = 0; n < 23; n += 1) {
      const start_date = plusDays(today, 3 * n - 2);
      const days = { start_date, end_date: plusDays(start_date, 1) };
      await user.createCycle({ ...days, generate_from_templates: false });
    }
    const household = await readHousehold(service, user, () => today);
    const parameters: ForecastParameters = { to: plusDays(today, 400), include: ['entries'] };
    const found = await forecast(user, parameters);
    expect(found.entries_left_out).toBeGreaterThan(0);
    expect(sorted(found)).toEqual(sorted(forecastOf(household, parameters)));
    const more = found.warnings.map(({ code, details }) => [code, details.more]);
    expect(Object.fromEntries(more)).toMatchObject({ stale_rate: 22, days_without_cycle: 2 });
  });

  it('ends with what remains of the cycles', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, async (plan) => {
        const { user, household } = await settle(plan);
        const { today, cycles, entries } = household;
        const to = plusDays(today, 180);
        const open = cycles.filter(isOpenCycle);
        const isOpen = ({ cycle_id }: StoredEntry): boolean =>
          open.some(({ id }) => id === cycle_id);
        fc.pre(entries.every((entry) => entry.date <= to || entry.settled || !isOpen(entry)));
        const found = await forecast(user, { to });
        const following = found.cycles.filter(({ source }) => source === 'proposed');
        const begun = cyclesThatFollow(household, to).filter((cycle) => cycle.start_date < today);
        const parts = [
          ...open.map(({ remaining_balance }) => cents(remaining_balance)),
          ...following.map(({ incomes, expenses }) => cents(incomes) - cents(expenses)),
          ...begun.map(({ income_amount }) => income_amount),
        ];
        expect(found.closing_balance).toBe(money(sumOf(parts)));
      }),
      longRuns(10),
    );
  });

  it('has the same numbers when a cycle that would follow is created', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, anyQuery, fc.nat(), async (plan, query, index) => {
        const { user, household } = await settle(plan);
        const { parameters } = requestOf(household, { ...query, include: ['days', 'entries'] });
        const before = await forecast(user, parameters);
        const proposals = cyclesThatFollow(household, before.to).filter(
          ({ start_date, end_date }) =>
            start_date < end_date &&
            // A new cycle has these too.
            !hasOccurrencesOf(household, { start: start_date, end: end_date }),
        );
        const proposal = proposals[index % proposals.length];
        if (!proposal) return;
        const { name, start_date, end_date, income_amount } = proposal;
        const body = { name, start_date, end_date, income_amount: money(income_amount) };
        await user.createCycle(body);
        expect(numbersOf(await forecast(user, parameters))).toEqual(numbersOf(before));
      }),
      longRuns(15),
    );
  });

  it('says exactly what can be spent in a window', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, anyQuery, fc.nat(), async (plan, query, index) => {
        const { user, household } = await settle(plan);
        const { parameters } = requestOf(household, query);
        const { minimum_balance: minimum = '0', currency = 'USD', payment_method_id } = parameters;
        // An added expense has a payment method of one's own.
        if (!household.methods.some(({ id }) => id === (payment_method_id ?? id))) return;
        const { pay_windows: windows, free_until: to } = await forecast(user, parameters);
        const { from: date = '', free = '0.00' } = windows[index % windows.length] ?? {};
        const lowestAfter = async (amount: string): Promise<bigint> => {
          const expense = {
            op: 'add_expense' as const,
            description: 'More',
            currency,
            amount,
            date,
          };
          const { changed } = await whatIf(user, { ...parameters, to, include: ['days'] }, [
            { ...expense, payment_method_id },
            // One centavo converts to less than a cent at the stored rates.
            ...(currency === 'MXN' ? [{ op: 'exchange_rate' as const, rate: '2' }] : []),
          ]);
          const later = (changed.days ?? []).filter((day) => day.date >= date);
          const lowest = later
            .map(({ balance }) => cents(balance))
            .reduce((a, b) => (b < a ? b : a));
          return lowest - cents(changed.overdue.incomes);
        };
        if (free !== '0.00') {
          expect(money(await lowestAfter(free))).toBe(money(cents(minimum)));
          const more = money(cents(free) + 1n);
          expect(money(await lowestAfter(more))).toBe(money(cents(minimum) - 1n));
        } else {
          expect(await lowestAfter('0.01')).toBeLessThan(cents(minimum));
        }
      }),
      longRuns(15),
    );
  });

  it('has the same numbers when an added entry is created', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, anyQuery, anyAddition, async (plan, query, addition) => {
        const { user, household } = await settle(plan);
        const { cycles, methods } = household;
        const { parameters, changes } = requestOf(household, {
          ...query,
          include: ['days'],
          changes: [addition],
        });
        const [change] = changes;
        if (!change || !('date' in change)) return;
        const { op, date, ...fields } = change;
        const cycle = cycles
          .filter(isOpenCycle)
          .find(({ start_date, end_date }) => start_date <= date && date <= end_date);
        // What is created has an active payment method.
        const method = methods.find(({ id }) => id === fields.payment_method_id) ?? methods[0];
        if (!cycle || !method?.active) return;
        const { changed } = await whatIf(user, parameters, [
          { ...change, payment_method_id: method.id },
        ]);
        const body = { ...fields, payment_method_id: method.id };
        if (op === 'add_expense') await user.createExpense(cycle.id, { ...body, due_date: date });
        else await user.createIncome(cycle.id, { ...body, income_date: date });
        // No cycle has the added entry.
        const found = await forecast(user, parameters);
        expect(without(numbersOf(found), 'cycles')).toEqual(without(numbersOf(changed), 'cycles'));
      }),
      longRuns(15),
    );
  });
});

/** Whether stored cycles have occurrences that templates give in a period. */
const hasOccurrencesOf = (household: Household, period: { start: string; end: string }): boolean =>
  household.templates.some((template) =>
    dueDays(template.recurrence, period).some(({ ruleDate }) =>
      hasOccurrence(household, template, ruleDate),
    ),
  );

/** Without warnings, and without what distinguishes stored from proposed cycles. */
function numbersOf(found: ModelForecast): Record<string, unknown> {
  const entries = found.entries as Record<string, unknown>[] | null;
  return {
    ...without(found, 'warnings'),
    cycles: found.cycles.map((cycle) => ({ ...cycle, id: null, source: null })),
    entries: entries?.map((entry) => ({ ...entry, id: null, cycle_id: null })),
  };
}
