import { randomUUID } from 'node:crypto';
import { today, type CalendarDate } from './calendar-date.js';
import type { Owner } from './user-id.js';

/** A user in one request or command, in whose scopes these values never change. */
export interface Requester extends Owner {
  /** The day when it began. */
  readonly today: CalendarDate;
  /** What all activity records that a request writes share; null in a command. */
  readonly operationId: string | null;
}

/** The user of a request that begins now. */
export const inRequest = <User extends Owner>(user: User): User & Requester => ({
  ...user,
  today: today(),
  operationId: randomUUID(),
});

/** The user of an operators' command that begins now. */
export const inCommand = <User extends Owner>(user: User): User & Requester => ({
  ...user,
  today: today(),
  operationId: null,
});
