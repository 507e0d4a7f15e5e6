import { inLanguageOf } from '../../platform/mail/language.js';
import type { Mail } from '../../platform/mail/mail.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import type { CurrencyCode } from '../../platform/values/currency.js';
import type { User } from '../../users/user.entity.js';
import type { Reminder, ReminderEntry, ReminderList } from '../reminder.js';
import { linesOf, widthsOf, type Row } from './columns.js';
import { shownDescription } from './description.js';
import { formatsOf, type LocaleFormats } from './locale.js';
import { ENGLISH } from './reminder.en.js';
import { SPANISH } from './reminder.es.js';

/** U+2212, as in the front end. */
const MINUS = '\u2212';

/** A reminder in a language; a day is null where it is today. Lines have at most 54 characters. */
export interface ReminderText {
  /** The form of days and numbers where the locale of the user is of another language. */
  locale: string;
  /** The form of the month beside a whole weekday. */
  longMonth: 'short' | 'long';
  /** An amount without a sign. */
  money: (number: string, currency: CurrencyCode) => string;
  /** The parts of the subject. */
  counts: {
    overdue: (count: number) => string;
    due: (count: number, day: string | null) => string;
    late: (count: number) => string;
    belowZero: (day: string | null) => string;
  };
  free: (amount: string, payDay: string) => string[];
  freeWithoutPayDay: (amount: string, lastDay: string) => string[];
  belowZero: (balance: string, day: string | null) => string[];
  headings: { overdue: string; due: (day: string | null) => string; late: string };
  more: (count: number) => string;
  turnedOn: (time: string, daysBefore: number) => string;
  turnOff: string;
  turnOffInSettings: string;
}

/**
 * The mail of a reminder, in Spanish or else in English; days and numbers are as the locale writes
 * them. The subject has no text of a user; what users wrote is cut and never a link.
 *
 * @param page the address of the front end
 */
export function reminderMail(
  user: Pick<User, 'email' | 'locale' | 'remindersHour' | 'remindersDaysBefore'>,
  reminder: Reminder,
  { page, unsubscribeUrl }: { page: string | undefined; unsubscribeUrl: string | undefined },
): Mail {
  const { email, locale, remindersHour: hour, remindersDaysBefore: daysBefore } = user;
  const text = inLanguageOf(locale, { en: ENGLISH, es: SPANISH });
  const formats = formatsOf(locale, { language: text.locale, longMonth: text.longMonth });
  const paragraphs = [
    ...summaryOf(reminder, text, formats),
    ...listsOf(reminder, text, formats),
    ...(page === undefined ? [] : [[page]]),
    [
      text.turnedOn(`${hour}:00`, daysBefore),
      ...(unsubscribeUrl === undefined ? [text.turnOffInSettings] : [text.turnOff, unsubscribeUrl]),
    ],
  ];
  return {
    to: email,
    subject: subjectOf(reminder, text, formats),
    text: `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`,
    unsubscribeUrl,
  };
}

const countOf = ({ entries, more }: ReminderList): number => entries.length + more;

/** What is overdue and due, else what is late, and the day below zero. */
function subjectOf(
  { today, overdue, dueBy, due, late, belowZero }: Reminder,
  { counts }: ReminderText,
  { shortDay }: LocaleFormats,
): string {
  const dayOf = (date: CalendarDate): string | null => (date === today ? null : shortDay(date));
  const [overdueCount, dueCount] = [countOf(overdue), countOf(due)];
  const parts = [
    overdueCount > 0 && counts.overdue(overdueCount),
    dueCount > 0 && counts.due(dueCount, dayOf(dueBy)),
    overdueCount + dueCount === 0 && countOf(late) > 0 && counts.late(countOf(late)),
    belowZero && counts.belowZero(dayOf(belowZero.date)),
  ];
  return capitalized(parts.filter((part) => part !== false && part !== null).join(', '));
}

/** What is free, and the day below zero. */
function summaryOf(
  { today, free, belowZero }: Reminder,
  text: ReminderText,
  { longDay, number }: LocaleFormats,
): string[][] {
  const dollars = (amount: string): string =>
    (amount.startsWith('-') ? MINUS : '') + text.money(number(amount), 'USD');
  const freeUntil = free.isPayDay ? text.free : text.freeWithoutPayDay;
  const first = freeUntil(dollars(free.amount), longDay(free.day));
  if (!belowZero) return [first];
  const day = belowZero.date === today ? null : longDay(belowZero.date);
  return [first, text.belowZero(dollars(belowZero.balance), day)];
}

/** The entries under their headings. */
function listsOf(
  { today, overdue, dueBy, due, late }: Reminder,
  { headings, money, more }: ReminderText,
  { shortDay, longDay, number }: LocaleFormats,
): string[][] {
  const toRow = ({ entry_date, description, currency, amount }: ReminderEntry): Row => ({
    day: capitalized(shortDay(entry_date)),
    description: shownDescription(description),
    amount: money(number(amount), currency),
  });
  const lists = [
    { heading: headings.overdue, list: overdue },
    { heading: headings.due(dueBy === today ? null : longDay(dueBy)), list: due },
    { heading: headings.late, list: late },
  ].map(({ heading, list }) => ({ heading, rows: list.entries.map(toRow), more: list.more }));
  const widths = widthsOf(lists.flatMap(({ rows }) => rows));
  return lists
    .filter(({ rows }) => rows.length > 0)
    .map(({ heading, rows, more: count }) => [
      heading,
      ...rows.flatMap((row) => linesOf(row, widths)),
      ...(count > 0 ? [`  ${more(count)}`] : []),
    ]);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
