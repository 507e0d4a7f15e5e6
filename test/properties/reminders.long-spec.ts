import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { ForecastResponse } from '../../src/forecast/dto/forecast.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { reminderMail } from '../../src/reminders/mails/reminder.js';
import { reminderOf, type ReminderList } from '../../src/reminders/reminder.js';
import { cents } from '../model/cents.js';
import type { Client } from '../support/client.js';
import { setTime, travel } from '../support/clock.js';
import { createHousehold, CYCLE_MAX_DAYS, readHousehold } from '../support/forecast-data.js';
import { forecastOf, type ForecastParameters } from '../support/forecast-model.js';
import { plusDays } from '../support/forecast-periods.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { closingFrom, type StatementDays } from '../support/statement-dates.js';
import type { Household } from '../support/stored-household.js';
import { anyHousehold } from './random-households.js';

jest.setTimeout(600_000);

const service = useService({ cycleMaxDays: CYCLE_MAX_DAYS });

beforeAll(async () => {
  await service.query(
    `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
     VALUES ('MXN', 'USD', '0.048765', '2025-11-01')`,
  );
});
afterAll(() => {
  jest.useRealTimers();
});

const PARAMETERS: ForecastParameters = { set_aside: 'budgets', include: ['days', 'entries'] };
const DAYS_OF_A_WEEK = 7;
const MONDAY = 1;
/** The day of the week on which something is bought for which there is not enough. */
const DAY_OF_PURCHASE = 3;

/** The members of an entry of a forecast that the reference reads. */
interface Entry {
  date: string;
  entry_date: string;
  entity_type: string;
  id: string | null;
  template_id: string | null;
  occurrence_date: string | null;
  description: string;
  payment_method: { id: string } | null;
  currency: string;
  amount: string;
}

interface DayWithIncomes {
  date: string;
  balance: string;
  incomes: string;
}

/** What a person who reads the forecast of a day sees. */
interface Reading {
  today: string;
  overdue: Entry[];
  due: Entry[];
  late: Entry[];
  belowZero: { date: string; balance: string } | null;
  free: { amount: string; day: string; isPayDay: boolean };
}

/** Reads the reference forecast of a day, day by day. */
function read(household: Household, daysBefore: number): Reading {
  const { today, to, days, entries, pay_windows } = forecastOf(household, PARAMETERS);
  const all = entries as Entry[];
  const isToPay = ({ entity_type }: Entry): boolean =>
    ['cycle_expense', 'card_statement'].includes(entity_type);
  // What is of an earlier day counts today.
  const past = all.filter(({ date, entry_date }) => date !== entry_date);
  const due: Entry[] = [];
  for (let offset = 0; offset <= daysBefore; offset += 1) {
    due.push(...all.filter((one) => isToPay(one) && one.entry_date === plusDays(today, offset)));
  }
  let belowZero: Reading['belowZero'] = null;
  for (let offset = 60; offset >= 0; offset -= 1) {
    const day = days?.find(({ date }) => date === plusDays(today, offset));
    if (day && cents(day.balance) < 0n) belowZero = { date: day.date, balance: day.balance };
  }
  const payDay = (days as DayWithIncomes[] | null)?.find(
    ({ date, incomes }) => date !== today && cents(incomes) > 0n,
  );
  return {
    ...{ today, due, belowZero },
    overdue: past.filter(isToPay),
    late: past.filter(({ entity_type }) => entity_type === 'cycle_income'),
    free: {
      amount: pay_windows[0]?.free ?? '',
      day: payDay?.date ?? to,
      isPayDay: payDay !== undefined,
    },
  };
}

type Reason = 'due' | 'overdue' | 'late' | 'below zero' | 'Monday';

/** Why there is a reminder, by what was not so on the day before. */
function reasonsOf(before: Reading, now: Reading): Reason[] {
  const keyOf = (one: Entry): string =>
    [one.id, one.template_id, one.occurrence_date, one.payment_method?.id, one.entry_date].join();
  const isNew = (list: 'overdue' | 'late'): boolean => {
    const keys = before[list].map(keyOf);
    return now[list].some((one) => !keys.includes(keyOf(one)));
  };
  const reasons: Reason[] = [];
  if (now.due.length > 0) reasons.push('due');
  if (isNew('overdue')) reasons.push('overdue');
  if (isNew('late')) reasons.push('late');
  if (now.belowZero && !before.belowZero) reasons.push('below zero');
  const isMonday = new Date(now.today).getUTCDay() === MONDAY;
  if (isMonday && now.overdue.length + now.late.length > 0) reasons.push('Monday');
  return reasons;
}

/** The lines of a list in any order, as those of a day have none; the first 20 if that is asked. */
function comparable({ entries, more }: ReminderList): { lines: string[]; count: number } {
  const lines = entries.map((one) =>
    [one.entry_date, one.description, one.amount, one.currency].join(' '),
  );
  return { lines: lines.toSorted(), count: lines.length + more };
}

function expectList(found: ReminderList, expected: readonly Entry[]): void {
  const { lines, count } = comparable(found);
  const all = comparable({ entries: expected as never, more: 0 });
  expect(count).toBe(all.count);
  expect(lines).toHaveLength(Math.min(20, count));
  if (count <= 20) expect(lines).toEqual(all.lines);
  else expect(all.lines).toEqual(expect.arrayContaining(lines));
}

/** What the mail says of how many entries there are. */
function expectCounts(subject: string, text: string, reading: Reading): void {
  const numberBefore = (word: string): number =>
    Number(new RegExp(String.raw`(\d+) ${word}`).exec(subject)?.[1] ?? 0);
  expect(numberBefore('overdue')).toBe(reading.overdue.length);
  expect(numberBefore('due (?:by|today)')).toBe(reading.due.length);
  const sections = new Map(
    text.split('\n\n').map((part) => [part.split('\n')[0] ?? '', part.split('\n').slice(1)]),
  );
  const entriesIn = (heading: RegExp): number => {
    const lines = [...sections].find(([first]) => heading.test(first))?.[1] ?? [];
    const more = /^ {2}and (\d+) more$/.exec(lines.at(-1) ?? '')?.[1] ?? '0';
    const rows = lines.filter((line) => /^ {2}\w{3} \w{3} \d+ /.test(line));
    return rows.length + Number(more);
  };
  expect(entriesIn(/^Overdue$/)).toBe(reading.overdue.length);
  expect(entriesIn(/^Due /)).toBe(reading.due.length);
  expect(entriesIn(/^Not arrived/)).toBe(reading.late.length);
  expect(text.includes('falls below zero')).toBe(reading.belowZero !== null);
}

const anyCard = fc.record({
  default_currency: fc.constantFrom('USD', 'MXN'),
  closing_day: fc.integer({ min: 1, max: 31 }),
  due_day: fc.constant(null),
  due_days_after: fc.integer({ min: 1, max: 40 }),
  due_weekend_rule: fc.constantFrom<StatementDays['due_weekend_rule']>('keep', 'before', 'after'),
  autopay: fc.boolean(),
});

/** Makes the second payment method a card, whose statements since two months ago are not paid. */
async function makeCard(user: Client, today: string, card: StatementDays): Promise<void> {
  const methods = await user.read<PaymentMethodResponse[]>('/payment-methods');
  const method = methods.find(({ active }, index) => active && index === 1);
  if (!method) return;
  const first_closing_date = closingFrom(card, plusDays(today, -60));
  const body = { method_type: 'credit', ...card, first_closing_date };
  await user.put(`/payment-methods/${method.id}`, body).expect(200);
}

/** An entry some days before or after the first day. */
const anyEntry = fc.record({
  kind: fc.constantFrom('expenses', 'incomes'),
  distance: fc.integer({ min: -3, max: 20 }),
  currency: fc.constantFrom('USD', 'MXN'),
  amount: fc.constantFrom('12.50', '4000.00'),
  method: fc.nat({ max: 1 }),
});

/** Creates a cycle with the entries. */
async function addEntries(
  user: Client,
  today: string,
  entries: readonly (typeof anyEntry extends fc.Arbitrary<infer Value> ? Value : never)[],
): Promise<string> {
  const [start_date, end_date] = [plusDays(today, -10), plusDays(today, 30)];
  const days = { start_date, end_date, generate_from_templates: false };
  const { id } = await user.createCycle({ ...days, name: 'Now', income_amount: '0.00' });
  const methods = await user.read<PaymentMethodResponse[]>('/payment-methods');
  const active = methods.filter((method) => method.active);
  for (const [index, { kind, distance, method, currency, amount }] of entries.entries()) {
    const payment_method_id = active[method % active.length]?.id;
    const body = { description: `Entry ${index}`, currency, amount, payment_method_id };
    const date = plusDays(today, distance);
    if (kind === 'incomes') await user.createIncome(id, { ...body, income_date: date });
    else await user.createExpense(id, { ...body, category: 'fixed', due_date: date });
  }
  return id;
}

describe('a reminder', () => {
  it('says day by day what a reading of the forecasts of two days says', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        anyHousehold,
        fc.option(anyCard),
        fc.array(anyEntry, { minLength: 4, maxLength: 10 }),
        fc.constantFrom(0, 1, 3, 14),
        async (plan, card, entries, daysBefore) => {
          setTime(`${plan.today}T12:00:00Z`);
          const user = await createHousehold(service, plan);
          if (card) await makeCard(user, plan.today, card);
          const cycleId = await addEntries(user, plan.today, entries);
          const onDay = (today: string): Promise<Household> =>
            readHousehold(service, user, () => today);
          let before = read(await onDay(plusDays(plan.today, -1)), daysBefore);
          for (let offset = 0; offset < DAYS_OF_A_WEEK; offset += 1) {
            const today = plusDays(plan.today, offset);
            await travel(user, `${today}T12:00:00Z`);
            if (offset === DAY_OF_PURCHASE) {
              const due_date = plusDays(today, 15);
              await user.createExpense(cycleId, { currency: 'USD', amount: '90000.00', due_date });
            }
            const now = read(await onDay(today), daysBefore);
            const reasons = reasonsOf(before, now);
            const isBelowZeroKnown = before.belowZero !== null;
            const path = '/forecast?set_aside=budgets&include=days,entries';
            const found = reminderOf(await user.read<ForecastResponse>(path), {
              ...{ daysBefore, isBelowZeroKnown },
            });
            expect({ today, reasons, is: found !== null }).toEqual({
              ...{ today, reasons, is: reasons.length > 0 },
            });
            for (const reason of reasons.length > 0 ? reasons : ['none']) seen.add(reason);
            before = now;
            if (!found) continue;
            expectList(found.overdue, now.overdue);
            expectList(found.due, now.due);
            expectList(found.late, now.late);
            expect(found).toMatchObject({ today, dueBy: plusDays(today, daysBefore) });
            expect([found.belowZero, found.free]).toEqual([now.belowZero, now.free]);
            const { subject, text } = reminderMail(
              {
                email: user.email,
                locale: 'en',
                remindersHour: 8,
                remindersDaysBefore: daysBefore,
              },
              found,
              { page: undefined, unsubscribeUrl: undefined },
            );
            expectCounts(subject, text, now);
          }
        },
      ),
      longRuns(20),
    );
    expect([...seen].toSorted()).toEqual([
      'Monday',
      'below zero',
      'due',
      'late',
      'none',
      'overdue',
    ]);
  });
});
