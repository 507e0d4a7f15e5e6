/** The bodies of the requests that create the sample household: pure functions of its data. */
import {
  firstClosing,
  monthDayBefore,
  type StatementRules,
} from '../../payment-methods/statement-dates.js';
import {
  addDays,
  calendarDate,
  dateParts,
  modulo,
  type CalendarDate,
} from '../../platform/values/calendar-date.js';
import type { PaymentMethodData, TemplateData, WithReferences } from './household-data.js';

/** The ids of payment methods and budgets, by their keys. */
export type Ids = ReadonlyMap<string, string>;

export interface SettledEntry {
  id: string;
  date: CalendarDate;
  amount?: string;
}

/** The fields with the ids of what they name. */
export function withIds(
  { payment_method: method, budget, ...fields }: Omit<WithReferences, 'description'>,
  ids: Ids,
): object {
  return {
    ...fields,
    payment_method_id: ids.get(method),
    ...(budget !== undefined && { budget_id: ids.get(budget) }),
  };
}

/** The body of a template. */
export const templateBody = (
  { actual_amounts: _actual, may_be_overdue: _mayBe, instalments, ...template }: TemplateData,
  { ids, today }: { ids: Ids; today: CalendarDate },
): object => ({ ...withIds(template, ids), ...instalmentDates(instalments, today) });

/** The body of a payment method. */
export const paymentMethodBody = (
  { key: _key, paid_from: paidFrom, ...method }: PaymentMethodData,
  { ids, today }: { ids: Ids; today: CalendarDate },
): object => ({
  ...method,
  ...cardDates(method, today),
  paid_from_id: paidFrom === undefined ? null : ids.get(paidFrom),
});

/** The body's first closing of a card: of the last statement that was due before today. */
function cardDates(
  { closing_day: closingDay, due_day: dueDay }: Pick<PaymentMethodData, 'closing_day' | 'due_day'>,
  today: CalendarDate,
): object {
  if (closingDay === undefined || dueDay === undefined) return {};
  const rules: StatementRules = { closingDay, dueDay, dueDaysAfter: null, dueWeekendRule: 'keep' };
  return { first_closing_date: monthDayBefore(firstClosing(rules, today), closingDay) };
}

/** The body's dates of a template with instalments, on a day of each of its months. */
function instalmentDates(instalments: TemplateData['instalments'], today: CalendarDate): object {
  if (!instalments) return {};
  const { count, months_ago: monthsAgo } = instalments;
  const start = firstOfMonth(today, -monthsAgo);
  const end = addDays(firstOfMonth(today, count - monthsAgo), -1);
  return { reference_date: start, starts_on: start, ends_on: end };
}

/** The first day of the month so many months after the one of a day. */
function firstOfMonth(date: CalendarDate, months: number): CalendarDate {
  const { year, month } = dateParts(date);
  const index = year * 12 + month - 1 + months;
  return calendarDate({ year: Math.floor(index / 12), month: modulo(index, 12) + 1, day: 1 });
}

export const byDate = (a: { date: CalendarDate }, b: { date: CalendarDate }): number =>
  a.date.localeCompare(b.date);

/** Gives entries, in the order of their dates, the actual amounts of their templates. */
export function atActualAmounts(
  templates: readonly TemplateData[],
): (entry: SettledEntry & { description: string }) => SettledEntry {
  const actual = new Map(
    templates.map(({ description, actual_amounts: amounts = [] }) => [description, [...amounts]]),
  );
  return ({ id, date, description }) => {
    const amount = actual.get(description)?.shift();
    return { id, date, ...(amount !== undefined && { amount }) };
  };
}

/** The instant, or now if that is earlier: the day of a sandbox may be later than that of the clock. */
export const atMost = (instant: string): string =>
  new Date(Math.min(Date.parse(instant), Date.now())).toISOString();

/** When something of a day was paid. */
export const paidOn = (day: CalendarDate): string => atMost(`${day}T18:00:00Z`);

/** When something of a day was received. */
export const receivedOn = (day: CalendarDate): string => atMost(`${day}T15:00:00Z`);
