import { afterAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { money } from '../model/cents.js';
import { without } from '../model/views.js';
import {
  cardsOf,
  isOfStatement,
  listedStatements,
  statementsOf,
  statementView,
  type Card,
  type Statement,
} from '../support/cards-model.js';
import { closingOf } from '../support/closing-model.js';
import { dueDays } from '../support/due-days.js';
import { CYCLE_MAX_DAYS } from '../support/forecast-data.js';
import { forecastOf, whatIfOf, type ModelForecast } from '../support/forecast-model.js';
import { cyclesThatFollow, plusDays } from '../support/forecast-periods.js';
import { hasOccurrence, type Change } from '../support/forecast-plan.js';
import { openingOf, type HoldingsHousehold } from '../support/holdings-model.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { isOpenCycle } from '../support/stored-household.js';
import { anyCardYear, type CardStep } from './random-card-steps.js';
import { amountPaid, CardYear } from './random-cards.js';
import { anyQuery, requestOf } from './random-households.js';

jest.setTimeout(600_000);

const service = useService({ cycleMaxDays: CYCLE_MAX_DAYS });

afterAll(() => {
  jest.useRealTimers();
});

type Json = Record<string, unknown>;

interface FoundStatement extends Json {
  id: string | null;
  closing_date: string;
  amount: string;
  paid: boolean;
  paid_at: string | null;
  paid_amount: string | null;
  created_at: string | null;
  updated_at: string | null;
}

/** The statement without the times of its record, and when autopay paid it. */
function comparable(found: FoundStatement): Json {
  const { id, created_at, updated_at } = found;
  expect([created_at, updated_at].map((time) => time === null)).toEqual([id === null, id === null]);
  return without(found, 'created_at', 'updated_at', 'paid_at');
}

/** What the list says, and what it should. */
async function compareList(
  year: CardYear,
  card: Card,
  expected: readonly Statement[],
  query = '',
): Promise<void> {
  const household = await year.read();
  const path = `/payment-methods/${card.id}/statements${query}`;
  const found = await year.user.read<FoundStatement[]>(path);
  expect({ path, list: found.map(comparable) }).toEqual({
    path,
    list: expected.map((one) => without(statementView(household, one) as Json, 'paid_at')),
  });
  for (const [index, statement] of expected.entries()) {
    const { paidAt, paidOn } = statement;
    // Nobody says at which time of its day autopay pays.
    if (paidAt === null && paidOn !== null) continue;
    expect(found[index]?.paid_at).toBe(paidAt === null ? null : new Date(paidAt).toISOString());
  }
}

async function expectStatements(year: CardYear, household: HoldingsHousehold): Promise<void> {
  for (const card of cardsOf(household)) {
    await compareList(year, card, listedStatements(household, card));
    const [from, to] = [plusDays(household.today, -120), plusDays(household.today, 90)];
    const all = statementsOf(household, card, to).filter(
      ({ closing }) => from <= closing && closing <= to,
    );
    await compareList(year, card, all, `?from=${from}&to=${to}`);
    const [first] = all;
    if (!first) continue;
    const path = `/payment-methods/${card.id}/statements/${first.closing}`;
    expect(comparable(await year.user.read<FoundStatement>(path))).toEqual(
      without(statementView(household, first) as Json, 'paid_at'),
    );
  }
}

/** What is not known of generated purchases: whether they are warned of. */
const OPEN_QUESTIONS = ['stale_rate', 'inactive_payment_method', 'inactive_balance'];

/** A forecast in an order that does not depend on where the statements of a day are. */
function ordered(found: ModelForecast): Json {
  const entries = found.entries as Json[] | null;
  const isStatement = ({ entity_type }: Json): boolean => entity_type === 'card_statement';
  const keyOf = (one: Json): string => [one.date, one.entry_date, one.description].join(' ');
  return {
    ...without(found, 'entries', 'warnings'),
    entries: entries?.filter((entry) => !isStatement(entry)),
    statements: entries
      ?.filter(isStatement)
      .sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1)),
    warnings: found.warnings
      .filter(({ code }) => !OPEN_QUESTIONS.includes(code))
      .map(({ code, details }) => ({ code, details }))
      .sort((a, b) => (a.code < b.code ? -1 : 1)),
  };
}

type Query = typeof anyQuery extends fc.Arbitrary<infer Value> ? Value : never;

/** The parameters of a random query, which often asks for a card. */
function parametersOf(household: HoldingsHousehold, query: Query): ReturnType<typeof requestOf> {
  const cards = cardsOf(household);
  const others = household.methods.filter(({ closing_day }) => closing_day === null);
  const sources = others.filter(({ id }) => cards.some(({ paid_from_id }) => paid_from_id === id));
  const methods = [...cards, ...sources, ...others.filter((one) => !sources.includes(one))];
  const { parameters, changes } = requestOf({ ...household, methods }, query);
  const hasRate = changes.some(({ op }) => op === 'exchange_rate');
  // Which rate what is left of a budget has, that has purchases by card, is not known.
  return { parameters: hasRate ? { ...parameters, set_aside: 'none' } : parameters, changes };
}

async function expectForecast(
  year: CardYear,
  household: HoldingsHousehold,
  query: Query,
): Promise<void> {
  const { parameters, changes } = parametersOf(household, query);
  const opening = openingOf(household, parameters);
  const { include, ...others } = parameters;
  const search = new URLSearchParams({ ...others, ...(include && { include: include.join(',') }) });
  const path = `/forecast?${search.toString()}`;
  const found = await year.user.read<ModelForecast>(path);
  expect({ path, ...ordered(found) }).toEqual({
    path,
    ...ordered(forecastOf(household, parameters, [], opening)),
  });
  const response = await year.user.post('/forecast', { ...parameters, changes }).expect(200);
  const { changed, difference } = response.body as { changed: ModelForecast; difference: Json };
  const expected = whatIfOf(household, parameters, changes, opening);
  const request = JSON.stringify({ ...parameters, changes } satisfies { changes: Change[] });
  expect({ request, ...ordered(changed), difference }).toEqual({
    request,
    ...ordered(expected.changed),
    difference: expected.difference,
  });
}

async function expectClosings(year: CardYear, household: HoldingsHousehold): Promise<void> {
  for (const cycle of household.cycles.filter(isOpenCycle)) {
    const found = await year.user.read(`/cycles/${cycle.id}/close`);
    expect({ cycle: cycle.start_date, found }).toEqual({
      cycle: cycle.start_date,
      found: closingOf(household, cycle),
    });
  }
}

/** The numbers of the forecast, whatever of it is stored. */
async function numbersOf({ user }: CardYear): Promise<Json> {
  const found = await user.read<ModelForecast>('/forecast?include=days');
  const { opening_balance, lowest, overdue, pay_windows, cards, days } = found;
  return { opening_balance, lowest, overdue, pay_windows, cards, days };
}

/** Marks purchases by card as paid, which is said of their statements alone. */
async function expectNothingOfMarks(year: CardYear): Promise<void> {
  const before = await numbersOf(year);
  const household = await year.read();
  const open = household.cycles.filter(isOpenCycle).map(({ id }) => id);
  const purchases = household.entries.filter(
    (entry) =>
      entry.entity_type === 'cycle_expense' &&
      isOfStatement(household, entry) &&
      open.includes(entry.cycle_id),
  );
  for (const { id, cycle_id } of purchases.slice(0, 3)) {
    await year.send('put', `/cycles/${cycle_id}/expenses/${id}`, { paid: true });
  }
  expect(await numbersOf(year)).toEqual(before);
}

/** Creates the cycle that would follow, whose purchases by card are in statements already. */
async function expectNothingOfNextCycle(year: CardYear): Promise<void> {
  const before = await numbersOf(year);
  const household = await year.read();
  const hasAutopay = cardsOf(household).some(({ autopay }) => autopay);
  const [next] = cyclesThatFollow(household, plusDays(household.today, 180)).filter(
    ({ start_date, end_date }) =>
      start_date < end_date &&
      // Autopay has paid for the purchases of past days once they are stored.
      (start_date >= household.today || !hasAutopay) &&
      // A new cycle has these too.
      !household.templates.some((template) =>
        dueDays(template.recurrence, { start: start_date, end: end_date }).some(({ ruleDate }) =>
          hasOccurrence(household, template, ruleDate),
        ),
      ),
  );
  if (!next) return;
  const { name, start_date, end_date } = next;
  const income_amount = household.nextIncomeAmount === 'zero' ? '0.00' : money(next.income_amount);
  await year.send('post', '/cycles', { name, start_date, end_date, income_amount });
  expect(await numbersOf(year)).toEqual(before);
}

/** What has closed with something: no change of the days of a card moves it. */
async function closedStatements(year: CardYear): Promise<Record<string, Json>> {
  const household = await year.read();
  const closed: Record<string, Json> = {};
  for (const { id } of cardsOf(household)) {
    const from = plusDays(household.today, -400);
    const query = `?from=${from}&to=${plusDays(household.today, -1)}`;
    const path = `/payment-methods/${id}/statements${query}`;
    const found = await year.user.read<FoundStatement[]>(path);
    for (const one of found) {
      if (one.expense_count === 0 && one.total_amount === '0.00' && one.amount === '0.00') continue;
      closed[`${id} ${one.closing_date}`] = without(one, 'id', 'created_at', 'updated_at');
    }
  }
  return closed;
}

/** Sends a request and checks what its own answer says. */
async function takeStep(year: CardYear, step: CardStep): Promise<string | undefined> {
  const before = await year.read();
  const isOfDays =
    'own' in step &&
    step.own.kind === 'members' &&
    Object.keys(step.own.fields).some((name) => /^(closing|due)_/.test(name));
  const closed = isOfDays ? await closedStatements(year) : undefined;
  const response = await year.takeCardStep(step);
  if (!response) return undefined;
  if (closed) expect(await closedStatements(year)).toMatchObject(closed);
  if ('own' in step && step.own.kind === 'statement') {
    const request = year.requestOf(before, step.own);
    if (!request) return undefined;
    const { statement, body } = request;
    const isEarly =
      (body.paid === true || typeof body.stated_amount === 'string') &&
      statement.closing >= before.today;
    expect(response.status).toBe(isEarly ? 422 : 200);
    const { amount, paid_amount } = response.body as FoundStatement;
    if (body.paid && !isEarly && (statement.amount > 0n || statement.stored?.amount)) {
      const expected = amountPaid(request);
      const paidBefore = statement.stored?.paid_amount ?? expected;
      expect({ body, amount, paid_amount }).toEqual({
        ...{ body, amount: expected, paid_amount: body.paid_amount ?? paidBefore },
      });
    }
  }
  if (response.status >= 300) return undefined;
  return 'own' in step ? step.own.kind : step.other.kind;
}

describe('statements of cards', () => {
  it('and what counts of them, are what a computation entry by entry says', async () => {
    const taken = new Set<string>();
    const usual = ['purchase', 'statement', 'members', 'carry over', 'complete', 'state', 'undo'];
    const queries = fc.array(anyQuery, { minLength: 18, maxLength: 18 });
    // Few random years can lack a kind of step: others are taken then, at most three times.
    let rounds = 0;
    do {
      await fc.assert(
        fc.asyncProperty(anyCardYear, queries, async (plan, questions) => {
          const year = new CardYear(service);
          try {
            await year.beginWithCards(plan);
            for (const [index, { minutes, step }] of plan.steps.entries()) {
              year.pass(minutes);
              const kind = await takeStep(year, step);
              if (kind !== undefined) taken.add(kind);
              const household = await year.read();
              await expectStatements(year, household);
              const question = questions[index];
              if (question) await expectForecast(year, household, question);
            }
            await expectClosings(year, await year.read());
            await expectNothingOfMarks(year);
            await expectNothingOfNextCycle(year);
          } catch (error) {
            const { message } = error as Error;
            throw new Error([year.readable(message), ...year.story].join('\n'), { cause: error });
          }
        }),
        longRuns(15),
      );
      rounds += 1;
    } while (rounds < 4 && !usual.every((kind) => taken.has(kind)));
    expect([...taken]).toEqual(expect.arrayContaining(usual));
  });
});
