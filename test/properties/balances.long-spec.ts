import { afterAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { cents, halfUp, money } from '../model/cents.js';
import { without } from '../model/views.js';
import type { Client } from '../support/client.js';
import { setTime } from '../support/clock.js';
import { rateInForce } from '../support/conversion-model.js';
import { dueDays } from '../support/due-days.js';
import { createHousehold, CYCLE_MAX_DAYS } from '../support/forecast-data.js';
import { forecastOf, type ForecastParameters } from '../support/forecast-model.js';
import { cyclesThatFollow, plusDays, type Days } from '../support/forecast-periods.js';
import { hasOccurrence } from '../support/forecast-plan.js';
import { readHoldings } from '../support/holdings-data.js';
import {
  expectedAt,
  holdingsOf,
  inactiveHoldings,
  mainMethod,
  openingOf,
  totalUsd,
  type HoldingsHousehold,
} from '../support/holdings-model.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { dayOf, type Household } from '../support/stored-household.js';
import { anyYear, RandomYear, type Step } from './random-balances.js';
import { anyHousehold, anyQuery, requestOf, type RandomHousehold } from './random-households.js';

jest.setTimeout(600_000);

const MINUTE_MS = 60_000;

const service = useService({ cycleMaxDays: CYCLE_MAX_DAYS });

afterAll(() => {
  jest.useRealTimers();
});

type Query = Pick<ForecastParameters, 'currency' | 'payment_method_id' | 'opening_balance'>;
type StateStep = Extract<Step, { kind: 'state' }>;

interface Warning {
  code: string;
  details: Record<string, unknown>;
}

interface Day {
  date: string;
  incomes: string;
  expenses: string;
  balance: string;
  set_aside: string;
}

interface StatedForecast extends Record<string, unknown> {
  opening_balance: string;
  opening: { source: string; stated_at: string | null };
  days: Day[] | null;
  cycles: Record<string, unknown>[];
  entries: Record<string, unknown>[] | null;
  pay_windows: Record<string, unknown>[];
  warnings: Warning[];
}

interface StatedBalances {
  balances: {
    id: string;
    currency: string;
    amount: string;
    stated_at: string;
    expected: string | null;
    difference: string | null;
  }[];
  unsettled: { id: string }[];
  more: number;
}

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

function forecast(
  user: Client,
  { include, ...others }: ForecastParameters,
): Promise<StatedForecast> {
  const query = new URLSearchParams({ ...others, ...(include && { include: include.join(',') }) });
  return user.read(`/forecast?${query.toString()}`);
}

/** USD for a peso, with 6 decimals. */
function pesoRate({ rates, today }: HoldingsHousehold): { rate: string; rate_date: string } {
  const { from_currency, rate, rate_date } = rateInForce(rates, { from: 'MXN', date: today });
  const [whole = '0', fraction = ''] = rate.split('.');
  const micros = BigInt(whole + fraction.padEnd(6, '0'));
  const value = from_currency === 'MXN' ? micros : halfUp(10n ** 12n, micros);
  const digits = String(value).padStart(7, '0');
  return { rate: `${digits.slice(0, -6)}.${digits.slice(-6)}`, rate_date };
}

/** The body of `GET /balances/current`. */
function currentOf(household: HoldingsHousehold): object {
  const holdings = holdingsOf(household);
  return {
    today: household.today,
    exchange_rate: holdings.some(({ currency }) => currency === 'MXN') ? pesoRate(household) : null,
    total_usd: money(totalUsd(household, holdings)),
    payment_methods: holdings.map(({ method: { id, name, method_type }, ...holding }) => ({
      payment_method: { id, name, method_type },
      currency: holding.currency,
      stated_amount: money(holding.stated),
      stated_at: instant(holding.statedAt),
      received: money(holding.received),
      paid: money(holding.paid),
      amount: money(holding.amount),
    })),
  };
}

/** What of a forecast is about balances. */
function openingPart(found: StatedForecast): object {
  const inactive = found.warnings.find(({ code }) => code === 'inactive_balance');
  return {
    opening_balance: found.opening_balance,
    opening: found.opening,
    inactive: inactive?.details ?? null,
  };
}

function expectedOpeningPart(household: HoldingsHousehold, query: Query): object {
  const { source, balance, statedAt } = openingOf(household, query);
  const inactive = inactiveHoldings(household).map(({ method: { id, name }, amount }) => ({
    ...{ id, name, amount: money(amount) },
  }));
  return {
    opening_balance: money(balance),
    opening: { source, stated_at: statedAt === null ? null : instant(statedAt) },
    inactive: inactive.length > 0 ? { payment_methods: inactive, more: 0 } : null,
  };
}

/** The open entries of draft and active cycles with these payment methods, dated until then. */
function unsettledUntil(
  { cycles, entries, timeZone }: HoldingsHousehold,
  methodIds: readonly string[],
  statedAt: number,
): string[] {
  const day = dayOf(statedAt, timeZone);
  const isOpen = (id: string): boolean =>
    cycles.some((cycle) => cycle.id === id && cycle.status !== 'completed');
  return entries
    .filter(
      ({ payment_method_id, settled, cancelled, cycle_id, date }) =>
        payment_method_id !== null &&
        methodIds.includes(payment_method_id) &&
        !settled &&
        !cancelled &&
        isOpen(cycle_id) &&
        date <= day,
    )
    .map(({ id }) => id);
}

/** States balances, and compares the response with what was stored before. */
async function state(year: RandomYear, { amounts, at }: StateStep): Promise<void> {
  const household = await year.read();
  const given = household.methods.flatMap((method, index) => {
    const amount = amounts[index];
    return amount === undefined || amount === null ? [] : [{ method, amount }];
  });
  const balances = given.map(({ method: { id }, amount }) => ({ payment_method_id: id, amount }));
  const stated_at = year.instantOf(household, at);
  const response = await year.send('post', '/balances', { balances, stated_at });
  const time = stated_at === undefined ? year.now : Date.parse(stated_at);
  const isTooLate = time > year.now + 5 * MINUTE_MS;
  if (isTooLate || given.length === 0 || given.some(({ method }) => !method.active)) {
    expect(response.status).toBe(422);
    return;
  }
  expect(response.status).toBe(201);
  const statedAt = Math.min(time, year.now);
  const body = response.body as StatedBalances;
  const expected = given.map(({ method: { id, default_currency: currency }, amount }) => {
    const before = expectedAt(household, id, statedAt);
    return {
      ...{ currency, amount, stated_at: instant(statedAt) },
      expected: before === null ? null : money(before),
      difference: before === null ? null : money(cents(amount) - before),
    };
  });
  expect(
    body.balances.map(({ currency, amount, stated_at, expected, difference }) => ({
      ...{ currency, amount, stated_at, expected, difference },
    })),
  ).toEqual(expected);
  const ids = given.map(({ method }) => method.id);
  const unsettled = unsettledUntil(household, ids, statedAt);
  expect(body.unsettled.length + body.more).toBe(unsettled.length);
  if (body.more === 0) {
    expect(body.unsettled.map(({ id }) => id).sort()).toEqual([...unsettled].sort());
  }
}

/** Compares what the service says now with what is stored. */
async function expectHoldings(year: RandomYear, queries: readonly Query[]): Promise<void> {
  const household = await year.read();
  expect(await year.user.read('/balances/current')).toEqual(currentOf(household));
  for (const query of queries) {
    const found = await forecast(year.user, { ...query, to: household.today });
    const isAboutInactive = Object.keys(query).length === 0 && found.opening.source === 'stated';
    const expected = expectedOpeningPart(household, query);
    expect({ query, ...openingPart(found), ...(!isAboutInactive && { inactive: null }) }).toEqual({
      ...{ query, ...expected, ...(!isAboutInactive && { inactive: null }) },
    });
    if (found.opening.source === 'stated') {
      expect(found.warnings.map(({ code }) => code)).not.toContain('ended_cycles');
    }
  }
}

/** The queries with each filter alone and with both. */
const allQueries = ({ methods }: HoldingsHousehold): Query[] =>
  [undefined, 'USD' as const, 'MXN' as const].flatMap((currency) =>
    [undefined, ...methods.map(({ id }) => id)].map((payment_method_id) => ({
      ...(currency && { currency }),
      ...(payment_method_id !== undefined && { payment_method_id }),
    })),
  );

describe('balances', () => {
  it('say after random requests what an entry by entry computation says', async () => {
    const taken = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyYear, async ({ order, steps }) => {
        const year = new RandomYear(service);
        try {
          await year.begin(order);
          for (const { minutes, step, query } of steps) {
            year.pass(minutes);
            if (step.kind === 'state') await state(year, step);
            else {
              const response = await year.take(step);
              if (response && response.status < 300) {
                taken.add(step.kind);
              }
            }
            const { methods } = await year.read();
            const { method, ...others } = query;
            const payment_method_id = method === undefined ? undefined : methods[method]?.id;
            await expectHoldings(year, [
              { ...others, ...(payment_method_id !== undefined && { payment_method_id }) },
            ]);
          }
          await expectHoldings(year, allQueries(await year.read()));
          const { balances } = await year.read();
          const listed = await year.user.read<{ id: string }[]>('/balances?limit=200');
          expect(listed.map(({ id }) => id)).toEqual(
            [...balances.toReversed()]
              .sort((a, b) => b.stated_at - a.stated_at)
              .map(({ id }) => id),
          );
        } catch (error) {
          const { message } = error as Error;
          throw new Error([year.readable(message), ...year.story].join('\n'), { cause: error });
        }
      }),
      longRuns(25),
    );
    const usual = ['add', 'close cycle', 'create cycle', 'edit', 'edit method', 'settle', 'undo'];
    expect([...taken]).toEqual(expect.arrayContaining(usual));
  });

  it('that are all deleted change no number of a forecast', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, anyQuery, async (plan, query) => {
        const { user, household } = await settle(plan);
        const { parameters } = requestOf(household, {
          ...query,
          include: ['days', 'entries'],
          set_aside: undefined,
        });
        const before = await forecast(user, parameters);
        expect(earlierNumbersOf(before)).toEqual(
          earlierNumbersOf(forecastOf(household, parameters) as unknown as StatedForecast),
        );
        const { methods } = household;
        const active = methods.filter((method) => method.active);
        const balances = active.map(({ id }) => ({ payment_method_id: id, amount: '777.77' }));
        const response = await user.post('/balances', { balances }).expect(201);
        for (const { id } of (response.body as StatedBalances).balances) {
          await user.delete(`/balances/${id}`).expect(204);
        }
        expect(await forecast(user, parameters)).toEqual(before);
      }),
      longRuns(10),
    );
  });

  it('leave the numbers as they are when a cycle that would follow is created', async () => {
    await fc.assert(
      fc.asyncProperty(anyStatedHousehold, anyQuery, fc.nat(), async (stated, query, index) => {
        const { user, household } = await settleStated(stated);
        const { parameters } = requestOf(household, { ...query, include: ['days', 'entries'] });
        const current = await user.read('/balances/current');
        const before = await forecast(user, parameters);
        const proposals = cyclesThatFollow(household, String(before.to)).filter(
          ({ start_date, end_date }) =>
            start_date < end_date &&
            // A new cycle has these too.
            !hasOccurrencesOf(household, { start: start_date, end: end_date }) &&
            !changesFourWeeks(household, { start_date, end_date }),
        );
        const proposal = proposals[index % proposals.length];
        if (!proposal) return;
        const { name, start_date, end_date, income_amount } = proposal;
        const body = { name, start_date, end_date, income_amount: money(income_amount) };
        await user.createCycle(body);
        expect(await user.read('/balances/current')).toEqual(current);
        expect(numbersOf(await forecast(user, parameters))).toEqual(numbersOf(before));
      }),
      longRuns(20),
    );
  });

  it('change nothing of a forecast but its beginning and an income amount that they contain', async () => {
    await fc.assert(
      fc.asyncProperty(anyStatedHousehold, anyQuery, async (stated, query) => {
        const { user, household } = await settleStated(stated);
        const holdings = await readHoldings(service, user, () => household.today);
        const { parameters } = requestOf(household, { ...query, include: ['days'] });
        const found = await forecast(user, without(parameters, 'opening_balance'));
        const opening = openingOf(holdings, without(parameters, 'opening_balance'));
        expect(found.opening_balance).toBe(money(opening.balance));
        const given = { ...parameters, opening_balance: money(opening.balance) };
        const expected = await forecast(user, given);
        expect(expected.opening).toEqual({ source: 'given', stated_at: null });
        const contained = containedToday(holdings, parameters);
        expect(found.days).toEqual(
          expected.days?.map((day) => ({
            ...day,
            incomes: day.date === found.today ? money(cents(day.incomes) - contained) : day.incomes,
            balance: money(cents(day.balance) - contained),
          })),
        );
      }),
      longRuns(20),
    );
  });
});

interface StatedHousehold {
  plan: RandomHousehold;
  amounts: readonly (string | null)[];
  hoursAgo: number;
}

const anyStatedHousehold = fc.record({
  plan: anyHousehold,
  amounts: fc.array(fc.constantFrom(null, '1000.00', '-250.25', '31000.10'), {
    minLength: 3,
    maxLength: 3,
  }),
  /** Also before the first day of cycles that have begun. */
  hoursAgo: fc.constantFrom(0, 1, 30, 24 * 20, 24 * 50),
});

/** Makes a household on its day in Mexico, when it is the next day in UTC. */
async function settle(
  plan: RandomHousehold,
): Promise<{ user: Client; household: HoldingsHousehold }> {
  setTime(`${plusDays(plan.today, 1)}T03:00:00Z`);
  const user = await createHousehold(service, plan);
  return { user, household: await readHoldings(service, user, () => plan.today) };
}

/** The same with balances of its payment methods and of another one in pesos. */
async function settleStated({
  plan,
  amounts,
  hoursAgo,
}: StatedHousehold): Promise<{ user: Client; household: HoldingsHousehold }> {
  const { user, household } = await settle(plan);
  const pesos = await user.createPaymentMethod({ method_type: 'cash', default_currency: 'MXN' });
  const ids = [...household.methods.filter(({ active }) => active), pesos].map(({ id }) => id);
  const balances = ids.flatMap((payment_method_id, index) =>
    amounts[index] ? [{ payment_method_id, amount: amounts[index] }] : [],
  );
  const stated_at = instant(Date.now() - hoursAgo * 60 * MINUTE_MS);
  if (balances.length > 0) await user.post('/balances', { balances, stated_at }).expect(201);
  return { user, household: await readHoldings(service, user, () => plan.today) };
}

/** What begins today and is in the balance of the main payment method, which was stated today. */
function containedToday(household: HoldingsHousehold, parameters: ForecastParameters): bigint {
  const { cycles, today, timeZone } = household;
  const { currency = 'USD', payment_method_id } = parameters;
  if (currency !== 'USD' || payment_method_id !== undefined) return 0n;
  const statedOn = mainStatedOn(household, timeZone);
  if (statedOn === undefined || statedOn < today) return 0n;
  const open = cycles.filter(({ status }) => status !== 'completed');
  const following = cyclesThatFollow(household, today);
  return [
    ...open.map(({ start_date, income_amount }) => ({ start_date, amount: cents(income_amount) })),
    ...following.map(({ start_date, income_amount }) => ({ start_date, amount: income_amount })),
  ]
    .filter(({ start_date }) => start_date === today)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

function mainStatedOn(household: HoldingsHousehold, timeZone: string): string | undefined {
  const main = mainMethod(household);
  const holding = holdingsOf(household).find(({ method }) => method === main);
  return holding && dayOf(holding.statedAt, timeZone);
}

/** Whether stored cycles have occurrences that templates give in a period. */
const hasOccurrencesOf = (
  household: Pick<Household, 'templates'> & HoldingsHousehold,
  period: { start: string; end: string },
): boolean =>
  household.templates.some((template) =>
    dueDays(template.recurrence, period).some(({ ruleDate }) =>
      hasOccurrence(household, template, ruleDate),
    ),
  );

/**
 * Whether what follows four weeks changes with a new cycle: they can be a month where no stored
 * cycle ends on the day before them.
 */
function changesFourWeeks({ cycles }: HoldingsHousehold, created: Days): boolean {
  const isFourWeeks = ({ start_date, end_date }: Days): boolean =>
    plusDays(start_date, 27) === end_date;
  const follows = (later: Days, earlier: Days): boolean =>
    plusDays(earlier.end_date, 1) === later.start_date;
  const others = cycles.filter(({ side }) => !side);
  return (
    (isFourWeeks(created) && !others.some((other) => follows(created, other))) ||
    others.some((other) => isFourWeeks(other) && follows(other, created))
  );
}

/** Without warnings, and without what distinguishes stored from proposed cycles. */
function numbersOf(found: StatedForecast): Record<string, unknown> {
  return {
    ...without(found, 'warnings'),
    cycles: found.cycles.map((cycle) => ({ ...cycle, id: null, source: null })),
    entries: found.entries?.map((entry) => ({ ...entry, id: null, cycle_id: null })),
  };
}

/** The numbers that a forecast had before there were balances, but for what is free or set aside. */
function earlierNumbersOf(found: StatedForecast): Record<string, unknown> {
  const { opening_balance, closing_balance, lowest, overdue, cycles, days, entries } = found;
  return {
    ...{ opening_balance, closing_balance, lowest, overdue, cycles, entries },
    days: days?.map((day) => without(day, 'set_aside')),
    pay_windows: found.pay_windows.map((window) =>
      without(window, 'free', 'limited_by', 'set_aside'),
    ),
  };
}
