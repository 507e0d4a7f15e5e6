import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import fc from 'fast-check';
import {
  addAmounts,
  addDays,
  compareAmounts,
  convertToUsd,
  explainFree,
  firstFit,
  fromCents,
  isNegative,
  planAgainstReality,
  shortDays,
  subtractAmounts,
  type Schemas,
} from '../../clients/typescript/src/index.js';
import { convert } from '../../src/exchange-rates/conversion.js';
import { toPayWindowResponse } from '../../src/forecast/dto/pay-window.dto.js';
import { payWindows } from '../../src/forecast/pay-windows.js';

type Forecast = Schemas['ForecastResponse'];

const TODAY = '2028-02-26';

interface DayPlan {
  incomes?: number;
  expenses?: number;
  /** What is set aside, in addition. */
  setAside?: number;
}

interface Others {
  /** What of the incomes of today is late. */
  late?: number;
  /** How many of the days are after the end of the forecast. */
  after?: number;
}

/** What the service responds for days from today, of which each has at most one expense. */
function forecastOf(
  opening: number,
  allDays: DayPlan[],
  minimum = 0,
  { late = 0, after = 0 }: Others = {},
): Forecast {
  const cents = (units: number): bigint => BigInt(units * 100);
  const days = allDays.slice(0, allDays.length - after);
  const to = addDays(TODAY, days.length - 1);
  let balance = cents(opening);
  const planned = allDays.map(({ incomes = 0, expenses = 0, setAside = 0 }, index) => {
    balance += cents(incomes - expenses - setAside);
    return {
      date: addDays(TODAY, index),
      entries: [],
      incomes: cents(incomes),
      expenses: cents(expenses + setAside),
      incomeCount: incomes > 0 ? 1 : 0,
      expenseCount: expenses > 0 ? 1 : 0,
      setAside: cents(setAside),
      balance,
    };
  });
  const shown = planned.slice(0, days.length).map(({ date, ...day }) => ({
    date,
    incomes: fromCents(day.incomes),
    expenses: fromCents(day.expenses),
    set_aside: fromCents(day.setAside),
    balance: fromCents(day.balance),
  }));
  const [lowest = { date: TODAY, balance: '0.00' }] = shown.toSorted((a, b) =>
    compareAmounts(a.balance, b.balance),
  );
  return {
    today: TODAY,
    to,
    free_until: addDays(TODAY, allDays.length - 1),
    currency: null,
    payment_method_id: null,
    opening_balance: fromCents(cents(opening)),
    opening: { source: 'plan', stated_at: null },
    minimum_balance: fromCents(cents(minimum)),
    closing_balance: shown.at(-1)?.balance ?? '0.00',
    lowest: { date: lowest.date, balance: lowest.balance },
    overdue: {
      ...{ expenses: '0.00', expense_count: 0 },
      ...{ incomes: fromCents(cents(late)), income_count: late > 0 ? 1 : 0 },
    },
    pay_windows: payWindows(planned, { to, minimum: cents(minimum), late: cents(late) }).map(
      toPayWindowResponse,
    ),
    cycles: [],
    cards: { expenses: '0.00', statement_count: 0 },
    days: shown,
    entries: null,
    entries_left_out: null,
    warnings: [],
  };
}

/** Paid today and on March 1 in a leap year, after which more is to be paid than comes in. */
const forecast = forecastOf(
  500,
  [{ incomes: 40, expenses: 90 }, { expenses: 10 }, {}, {}, { incomes: 100 }, { expenses: 250 }],
  50,
);

const anyDays = fc.array(
  fc.record({
    incomes: fc.nat({ max: 3 }),
    expenses: fc.nat({ max: 3 }),
    setAside: fc.nat({ max: 1 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const anyForecast = fc
  .tuple(fc.integer({ min: -5, max: 20 }), anyDays, fc.nat({ max: 5 }))
  .map(([opening, days, minimum]) => forecastOf(opening, days, minimum));

/** With budgets that are set aside, days after the end, and incomes of today that are late. */
const anyDetailedForecast = fc
  .tuple(fc.integer({ min: -5, max: 20 }), anyDays, fc.nat({ max: 5 }))
  .chain(([opening, days, minimum]) =>
    fc
      .record({
        late: fc.nat({ max: days[0]?.incomes ?? 0 }),
        after: fc.nat({ max: days.length - 1 }),
      })
      .map((others) => forecastOf(opening, days, minimum, others)),
  );

describe('what is free, as the TypeScript client explains it', () => {
  it('the TypeScript client explains what is free by what is due and what later days need', () => {
    expect(explainFree(forecast)).toEqual({
      balance: '500.00',
      minimum: '50.00',
      free: '240.00',
      incomes: '40.00',
      late: undefined,
      due: '100.00',
      dueCount: 2,
      overdueCount: 0,
      setAside: undefined,
      kept: { amount: '150.00', date: '2028-03-02' },
      short: undefined,
      lastDay: '2028-02-29',
      payDay: '2028-03-01',
    });
  });

  it('the TypeScript client keeps something for a day after the end of the forecast', () => {
    const { kept } = explainFree(
      forecastOf(9, [{}, { expenses: 1 }, { expenses: 4 }], 0, { after: 2 }),
    );
    expect(kept).toEqual({ amount: '5.00', date: addDays(TODAY, 2) });
  });

  it('what is set aside for budgets is no bill for the TypeScript client', () => {
    const days = [{ expenses: 10, setAside: 2 }, { setAside: 3 }, { incomes: 50 }];
    expect(explainFree(forecastOf(100, days))).toMatchObject({
      ...{ due: '10.00', dueCount: 1, setAside: '5.00', kept: undefined, free: '85.00' },
    });
  });

  it('the first of equally low windows is what the TypeScript client keeps something for', () => {
    const equal = forecastOf(9, [{}, { incomes: 1, expenses: 3 }, { incomes: 2, expenses: 2 }]);
    expect(explainFree(equal).kept).toEqual({ amount: '2.00', date: addDays(TODAY, 1) });
  });

  it('without a later pay day nothing is kept, and the TypeScript client has no pay day', () => {
    const { kept, payDay, lastDay, incomes, free } = explainFree(
      forecastOf(30, [{ expenses: 10 }, {}]),
    );
    expect({ kept, payDay, lastDay, incomes, free }).toEqual({
      ...{ kept: undefined, payDay: undefined, lastDay: '2028-02-27', incomes: undefined },
      free: '20.00',
    });
  });

  it('on a short day the TypeScript client says by how much, and that nothing is free', () => {
    const short = explainFree(forecastOf(100, [{}, { expenses: 130 }, { incomes: 500 }], 20));
    expect(short.short).toEqual({ by: '50.00', date: '2028-02-27', balance: '-30.00' });
    expect(short.free).toBe('0.00');
    // What is exactly the minimum is not short.
    expect(explainFree(forecastOf(20, [{}], 20)).short).toBeUndefined();
  });

  it('an income that is late does not count, and overdue expenses count today for the TypeScript client', () => {
    const today = forecastOf(100, [{ incomes: 70, expenses: 30 }], 0, { late: 50 });
    const overdue = { ...today.overdue, expenses: '30.00', expense_count: 1 };
    expect(explainFree({ ...today, overdue })).toMatchObject({
      ...{ incomes: '20.00', late: '50.00', due: '30.00', dueCount: 1, overdueCount: 1 },
      free: '90.00',
    });
  });

  it('what the TypeScript client explains adds up', () => {
    fc.assert(
      fc.property(anyDetailedForecast, (any) => {
        const { balance, due, kept, minimum, free, short, ...explained } = explainFree(any);
        const { incomes = '0.00', setAside = '0.00' } = explained;
        const spent = addAmounts(due, setAside, kept?.amount ?? '0.00', minimum);
        const left = subtractAmounts(addAmounts(balance, incomes), spent);
        expect(left).toBe(subtractAmounts(free, short?.by ?? '0.00'));
      }),
    );
  });

  it('the TypeScript client explains no forecast without a window', () => {
    expect(() => explainFree({ ...forecast, pay_windows: [] })).toThrow(RangeError);
  });
});

describe('the short days of the TypeScript client', () => {
  it('days in a row below the minimum are one range of the TypeScript client', () => {
    const days = [{}, { expenses: 10 }, { expenses: 5 }, {}, { incomes: 16 }, { expenses: 2 }];
    expect(shortDays(forecastOf(30, days, 25))).toEqual([
      {
        from: '2028-02-27',
        to: '2028-02-29',
        lowest: { date: '2028-02-28', balance: '15.00' },
      },
    ]);
    expect(shortDays(forecastOf(30, days, 30))).toEqual([
      { from: '2028-02-27', to: '2028-02-29', lowest: { date: '2028-02-28', balance: '15.00' } },
      { from: '2028-03-02', to: '2028-03-02', lowest: { date: '2028-03-02', balance: '29.00' } },
    ]);
    expect(shortDays(forecastOf(30, days, 15))).toEqual([]);
  });

  it('the short days of the TypeScript client are those below the minimum, and have the lowest', () => {
    fc.assert(
      fc.property(anyForecast, (any) => {
        const runs = shortDays(any);
        const isIn = (date: string): boolean =>
          runs.some(({ from, to }) => from <= date && date <= to);
        for (const { date, balance } of any.days ?? []) {
          expect(isIn(date)).toBe(compareAmounts(balance, any.minimum_balance) < 0);
        }
        const lowest = runs
          .map((run) => run.lowest)
          .sort((a, b) => compareAmounts(a.balance, b.balance));
        expect(lowest[0]).toEqual(explainFree(any).short && any.lowest);
      }),
    );
  });

  it('the TypeScript client knows no short days without the days', () => {
    expect(() => shortDays({ ...forecast, days: null })).toThrow('include=days');
  });
});

describe('the first pay day of the TypeScript client on which an amount fits', () => {
  const paid = forecastOf(10, [{}, { incomes: 20 }, { expenses: 5 }, { incomes: 30 }]);

  it.each([
    ['25.00', { date: '2028-02-27', leaves: '0.00' }],
    ['25.01', { date: '2028-02-29', leaves: '29.99' }],
    ['55.00', { date: '2028-02-29', leaves: '0.00' }],
    ['55.01', undefined],
  ])('%s fits for the TypeScript client on %j', (amount, fit) => {
    expect(firstFit(paid, amount)).toEqual(fit);
  });

  it('nothing fits for the TypeScript client before money comes in', () => {
    expect(firstFit(forecastOf(1000, [{}, {}]), '1.00')).toBeUndefined();
  });

  it('what fits for the TypeScript client leaves no later day below the minimum', () => {
    fc.assert(
      fc.property(anyForecast, fc.integer({ min: 1, max: 20 }), (any, units) => {
        const amount = fromCents(BigInt(units * 100));
        const fits = (from: string): boolean =>
          (any.days ?? []).every(
            ({ date, balance }) =>
              date < from ||
              !isNegative(subtractAmounts(subtractAmounts(balance, amount), any.minimum_balance)),
          );
        const expected = any.pay_windows.slice(1).find(({ from }) => fits(from))?.from;
        expect(firstFit(any, amount)?.date).toBe(expected);
      }),
    );
  });

  it.each(['-1.00', '1', '1,00'])('the TypeScript client refuses that %s might fit', (amount) => {
    expect(() => firstFit(paid, amount)).toThrow(RangeError);
  });
});

describe('pesos that the TypeScript client converts', () => {
  it.each([
    ['100.00', '0.050000', '5.00'],
    ['812.35', '0.050000', '40.62'],
    // Half a cent is rounded up, a little less is not.
    ['0.10', '0.05', '0.01'],
    ['1.00', '0.054999', '0.05'],
    ['1.00', '0.055000', '0.06'],
    ['999999999.99', '0.054321', '54321000.00'],
    ['0.00', '0.050000', '0.00'],
    ['0.09', '0.05', '0.00'],
    ['3.00', '2', '6.00'],
    ['90071992547409931.37', '1.000001', '90072082619402478.78'],
  ])('%s pesos at %s are %s dollars of the TypeScript client', (amount, rate, usd) => {
    expect(convertToUsd(amount, rate)).toBe(usd);
  });

  it('the TypeScript client converts as the service does', () => {
    const anyAmount = fc.bigInt({ min: 1n, max: 99_999_999_999n });
    const anyRate = fc.integer({ min: 1, max: 999_999 });
    fc.assert(
      fc.property(anyAmount, anyRate, (cents, millionths) => {
        const amount = fromCents(cents);
        const rate = `0.${String(millionths).padStart(6, '0')}`;
        const usd = convertToUsd(amount, rate);
        fc.pre(usd !== '0.00');
        const ofService = convert(new Big(amount), { rate: new Big(rate), isInverse: false });
        expect(usd).toBe(ofService.toFixed(2));
      }),
    );
  });

  it('an inverse rate makes a difference of the documented size for the TypeScript client', () => {
    const ofService = convert(new Big('40000.00'), { rate: new Big('18.3'), isInverse: true });
    expect(ofService.toFixed(2)).toBe('2185.79');
    expect(convertToUsd('40000.00', '0.054645')).toBe('2185.80');
  });

  it.each([
    ['-1.00', '0.050000'],
    ['1', '0.050000'],
    ['1.00', ''],
    ['1.00', '.5'],
    ['1.00', '0.0500001'],
    ['1.00', '-0.050000'],
    ['1.00', '5e-2'],
    ['1.00', '0.05\n'],
  ])('the TypeScript client refuses to convert %j at %j', (amount, rate) => {
    expect(() => convertToUsd(amount, rate)).toThrow(RangeError);
  });
});

describe('what is paid and what was planned, for the TypeScript client', () => {
  const expense = (fields: Partial<Schemas['ExpenseResponse']>): Schemas['ExpenseResponse'] => ({
    id: 'e9b2d6f8-15a0-4b3c-a7d6-6b5a49382706',
    description: 'Renta',
    currency: 'USD',
    amount: '110.00',
    amount_usd: '110.00',
    exchange_rate: null,
    planned_amount: '100.00',
    due_date: '2026-01-25',
    category: 'fixed',
    status: 'paid',
    paid: true,
    paid_at: '2026-01-25T12:00:00.000Z',
    comments: null,
    autopay_info: null,
    template_id: null,
    occurrence_date: null,
    instalment: null,
    payment_method: {
      id: '2f6d1c8e-94b7-4c0f-8f0d-1a2b3c4d5e03',
      name: 'Visa',
      method_type: 'credit',
    },
    budget: null,
    created_at: '2026-01-18T16:20:31.482Z',
    updated_at: '2026-01-18T16:20:31.482Z',
    ...fields,
  });
  const pesos = {
    currency: 'MXN',
    exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
  } as const;

  it('the TypeScript client compares what is paid with the plan, at the rate of each expense', () => {
    const expenses = [
      expense({}),
      expense({ ...pesos, amount: '800.00', amount_usd: '40.00', planned_amount: '900.10' }),
      expense({ amount: '7.77', amount_usd: '7.77', planned_amount: null }),
      expense({ paid: false, status: 'overdue', planned_amount: '5.00' }),
    ];
    expect(planAgainstReality(expenses)).toEqual({
      planned: '145.01',
      actual: '150.00',
      difference: '4.99',
      plannedCount: 2,
      unplanned: '7.77',
      unplannedCount: 1,
    });
  });

  it('less that is paid is a negative difference of the TypeScript client', () => {
    const { difference } = planAgainstReality([expense({ amount: '90.00', amount_usd: '90.00' })]);
    expect(difference).toBe('-10.00');
  });

  it('what is paid as planned is no difference for the TypeScript client, at whatever rate', () => {
    const inverse = { rate: '0.054645', rate_date: '2025-01-01' };
    const amounts = { amount: '40000.00', amount_usd: '2185.79', planned_amount: '40000.00' };
    const unknown = { amount: '40000.00', amount_usd: '2185.79', planned_amount: '39000.00' };
    for (const fields of [
      { ...amounts, exchange_rate: inverse },
      { ...unknown, exchange_rate: null },
    ]) {
      expect(planAgainstReality([expense({ ...pesos, ...fields })])).toMatchObject({
        planned: '2185.79',
        difference: '0.00',
      });
    }
  });

  it('the TypeScript client compares no expenses', () => {
    expect(planAgainstReality([])).toEqual({
      ...{ planned: '0.00', actual: '0.00', difference: '0.00', plannedCount: 0 },
      ...{ unplanned: '0.00', unplannedCount: 0 },
    });
  });
});
