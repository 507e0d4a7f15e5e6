import { randomUUID } from 'node:crypto';
import type { CalendarDate } from './calendar-date.js';
import { todayIn } from './time-zone.js';
import type { Owner } from './user-id.js';

/** A user with the time zone that decides what day it is for the user. */
export interface ZonedOwner extends Owner {
  readonly timeZone: string;
}

/** A user in one request or command, in whose scopes these values never change, but `activity`. */
export interface Requester extends ZonedOwner {
  /** The user's day when it began. */
  readonly today: CalendarDate;
  /** What all activity records that a request writes share; null in a command. */
  readonly operationId: string | null;
  /** Whether a committed transaction has written such records. */
  readonly activity: { isWritten: boolean };
}

/** The user of a request that begins now. */
export const inRequest = <User extends ZonedOwner>(user: User): User & Requester => ({
  ...user,
  today: todayIn(user.timeZone),
  operationId: randomUUID(),
  activity: { isWritten: false },
});

/** The user of an operators' command that begins now. */
export const inCommand = <User extends ZonedOwner>(user: User): User & Requester => ({
  ...user,
  today: todayIn(user.timeZone),
  operationId: null,
  activity: { isWritten: false },
});
