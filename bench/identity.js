// @ts-check
/**
 * The users and entities of the seed. Ids are derived from names, so that clients need not read
 * them first; {@link idOf} and {@link idSql} return the same ids.
 */
import { createHash } from 'node:crypto';

/**
 * @param {string} kind
 * @param {...number} numbers
 */
export function idOf(kind, ...numbers) {
  const hex = createHash('md5')
    .update([kind, ...numbers].join(' '))
    .digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * @param {string} kind
 * @param {...string} numbers expressions
 */
export const idSql = (kind, ...numbers) =>
  `md5(concat_ws(' ', '${kind}', ${numbers.join(', ')}))::uuid`;

/** @param {number} user */
export const emailOf = (user) => `user-${user}@example.com`;

/** The password of every user. */
export const PASSWORD = 'correct horse battery staple';

/**
 * The write operations change the data of every fifth user; the data of the others stays the same.
 */
export const WRITER_EVERY = 5;

export const PAYMENT_METHODS = ['debit', 'credit', 'cash', 'transfer'];

/** The length of a cycle in days. */
export const CYCLE_DAYS = 42;
const FIRST_CYCLE = Date.UTC(2025, 0, 6);
const DAY_MS = 86_400_000;

/** The first and the last day of the cycle of that number, from 1. @param {number} cycle */
export function periodOf(cycle) {
  const start = FIRST_CYCLE + (cycle - 1) * CYCLE_DAYS * DAY_MS;
  const day = (/** @type {number} */ time) => new Date(time).toISOString().slice(0, 10);
  return { start: day(start), end: day(start + (CYCLE_DAYS - 1) * DAY_MS) };
}

/**
 * The intervals in days of a user's templates, which generate exactly this number of expenses in
 * any cycle: each interval divides the length of a cycle.
 *
 * @param {number} expenses
 */
export function intervalsFor(expenses) {
  const weekly = Math.floor(expenses / 20);
  const biWeekly = Math.floor((expenses * 3) / 20);
  const once = expenses - weekly * (CYCLE_DAYS / 7) - biWeekly * (CYCLE_DAYS / 14);
  /** @type {[number, number][]} */
  const counts = [
    [7, weekly],
    [14, biWeekly],
    [CYCLE_DAYS, once],
  ];
  return counts.flatMap(([interval, count]) => Array.from({ length: count }, () => interval));
}
