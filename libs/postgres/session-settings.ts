import type { ClientBase, QueryConfig } from 'pg';
import { UnsuitableServerError } from './errors.js';

/** 0: no limit. */
interface SessionTimeouts {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
}

/** Timeout of each statement that prepares a session. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Ends abandoned transactions so that their locks are released. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/** Set explicitly, because the defaults of the server, the database and the role may differ. */
const sessionSettings = ({
  statementTimeoutMs,
  lockTimeoutMs,
}: SessionTimeouts): Record<string, string> => ({
  datestyle: 'ISO, MDY',
  timezone: 'UTC',
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: String(lockTimeoutMs),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
});

/**
 * The server may by default plan prepared statements for every execution once the statistics have
 * changed, which takes half as long as executing them. Citus needs the values to find the node of a
 * statement.
 */
const SET_PLAN_CACHE_MODE = `
  SELECT set_config('plan_cache_mode', CASE
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN 'auto'
    ELSE 'force_generic_plan' END, false)`;

/**
 * Applies the session settings to a new connection. They are not sent as startup parameters,
 * because poolers reject or ignore those. A second statement verifies them, because a lost setting
 * would cause errors much later, such as misread dates or locks that are never released.
 *
 * @throws UnsuitableServerError when the session does not keep the settings
 */
export async function prepareSession(client: ClientBase, settings: SessionTimeouts): Promise<void> {
  const expected = Object.entries(sessionSettings(settings));
  const settingStatements = expected.map(([name, value]) => `SET ${name} = '${value}'`);
  await client.query(statement([...settingStatements, SET_PLAN_CACHE_MODE].join('; ')));
  const names = expected.map(([name]) => `'${name}'`).join(', ');
  const { rows } = await client.query<{ name: string; setting: string }>(
    statement(
      `SELECT lower(name) AS name, setting FROM pg_settings WHERE lower(name) IN (${names})`,
    ),
  );
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]));
  for (const [name, value] of expected) {
    const setting = actual.get(name) ?? 'unknown';
    if (setting !== value) {
      throw new UnsuitableServerError(`${name} is ${setting} after it was set to ${value}`);
    }
  }
}

const statement = (text: string): QueryConfig & { query_timeout: number } => ({
  text,
  query_timeout: STATEMENT_TIMEOUT_MS,
});
