import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import { ReadOnlyServerError, UnsuitableServerError } from './errors.js';

const STATEMENT_TIMEOUT_MS = 5000;
/** Longer than the timeout of the statement that sends the notification. */
const NOTIFICATION_TIMEOUT_MS = 10_000;

/**
 * Rejects a read-only server, unless that is acceptable, and a pooler in transaction or statement
 * mode: prepared statements, session settings and advisory locks would be shared with other
 * clients.
 *
 * An idle pooler may give a client the same session twice, so that comparing sessions proves
 * nothing. A notification does: the server sends it between two statements of the client, and it
 * arrives only if the pooler keeps the session assigned to the client.
 *
 * @throws ReadOnlyServerError, UnsuitableServerError
 */
export async function checkServer(
  config: ClientConfig,
  { acceptsReadOnly = false }: { acceptsReadOnly?: boolean },
): Promise<void> {
  const listener = clientOf(config);
  const notifier = clientOf(config);
  const channel = `session_${randomUUID().replaceAll('-', '')}`;
  try {
    await listener.connect();
    const session = await sessionOf(listener);
    if (session.isReadOnly) {
      if (!acceptsReadOnly) throw new ReadOnlyServerError();
      // A standby cannot listen.
      return;
    }
    await listener.query(`LISTEN ${channel}`);
    await notifier.connect();
    // Most poolers in these modes are detected here, without waiting for the notification.
    if ((await sessionOf(notifier)).pid === session.pid) throw sharedSessionError();
    const notified = once(listener, 'notification').then(() => true);
    const [isNotified] = await Promise.all([
      Promise.race([notified, setTimeout(NOTIFICATION_TIMEOUT_MS, false, { ref: false })]),
      notifier.query(`NOTIFY ${channel}`),
    ]);
    if (!isNotified) throw sharedSessionError();
  } finally {
    await Promise.all([listener.end(), notifier.end()]);
  }
}

function clientOf(config: ClientConfig): pg.Client {
  const client = new pg.Client({ ...config, query_timeout: STATEMENT_TIMEOUT_MS });
  // A lost connection rejects the statement in progress.
  client.on('error', () => undefined);
  return client;
}

async function sessionOf(client: pg.Client): Promise<{ pid: number; isReadOnly: boolean }> {
  const { rows } = await client.query<{ pid: number; read_only: string }>(
    `SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only') AS read_only`,
  );
  return { pid: rows[0]?.pid ?? 0, isReadOnly: rows[0]?.read_only === 'on' };
}

const sharedSessionError = (): UnsuitableServerError =>
  new UnsuitableServerError(
    'consecutive statements do not share a session; configure the pooler to assign a session to each client ' +
      '(PgBouncer: pool_mode = session)',
  );
