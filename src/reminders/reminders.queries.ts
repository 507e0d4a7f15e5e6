import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { UserId } from '../platform/values/user-id.js';

/** The users of one statement. */
const MAX_USERS = 100;

/** What time it is in a time zone. */
export interface ZoneTime {
  timeZone: string;
  day: CalendarDate;
  /** From 0 to 23. */
  hour: number;
}

/** SQL: users who want reminders, and get them; the first two are the condition of an index. */
const IS_WANTED = sql`u.reminders_enabled AND u.reminders_confirmed AND u.active`;

/** The time zones of users who get reminders. */
export async function listTimeZones(manager: EntityManager): Promise<string[]> {
  const rows = await query<{ time_zone: string }>(
    manager,
    sql`SELECT DISTINCT u.time_zone FROM users u WHERE ${IS_WANTED}`,
  );
  return rows.map(({ time_zone: timeZone }) => timeZone);
}

/** Users whose hour has come in these times, and whose day is not taken. */
export async function listDue(
  manager: EntityManager,
  times: readonly ZoneTime[],
): Promise<UserId[]> {
  const [zones, days, hours] = [
    times.map(({ timeZone }) => timeZone),
    times.map(({ day }) => day),
    times.map(({ hour }) => hour),
  ];
  const rows = await query<{ id: UserId }>(
    manager,
    sql`
      SELECT u.id
      FROM unnest(${zones}::text[], ${days}::date[], ${hours}::int[]) AS t(time_zone, day, hour)
      JOIN users u ON u.time_zone = t.time_zone
      WHERE ${IS_WANTED} AND u.reminders_hour <= t.hour
        AND (u.reminded_on IS NULL OR u.reminded_on < t.day)
      ORDER BY u.seq LIMIT ${MAX_USERS}`,
  );
  return rows.map(({ id }) => id);
}
