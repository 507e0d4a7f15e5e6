import { randomUUID } from 'node:crypto';
import type { CalendarDate } from './calendar-date.js';
import { todayIn, type TodayIn } from './time-zone.js';
import type { Owner } from './user-id.js';

/** A user with the time zone that decides what day it is for the user. */
export interface ZonedOwner extends Owner {
  readonly timeZone: string;
}

/**
 * A user in one request or command. Its values do not change while it runs, except
 * `operation.hasWritten`.
 */
export interface Requester extends ZonedOwner {
  /** The user's day when it began. */
  readonly today: CalendarDate;
  /** The id of the request, which is stored with the records that it writes; null in a command. */
  readonly operationId: string | null;
  /** Whether records with the id were written and committed. */
  readonly operation: { hasWritten: boolean };
}

/**
 * The user of a request that begins now.
 *
 * @param today of the settings; by default that of the clock
 */
export const inRequest = <User extends ZonedOwner>(user: User, today?: TodayIn): User & Requester =>
  requester(user, randomUUID(), today);

/** The user of an operators' command that begins now, like {@link inRequest}. */
export const inCommand = <User extends ZonedOwner>(user: User, today?: TodayIn): User & Requester =>
  requester(user, null, today);

const requester = <User extends ZonedOwner>(
  user: User,
  operationId: string | null,
  today: TodayIn = todayIn,
): User & Requester => ({
  ...user,
  today: today(user.timeZone),
  operationId,
  operation: { hasWritten: false },
});
