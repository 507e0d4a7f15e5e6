import pg from 'pg';
import type { DatabaseSettings } from '../config/settings.js';
import { advisoryLockId } from './advisory-lock.js';
import { clientConfig } from './data-source.js';

const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * A lock that one process of all replicas holds until it ends or loses its connection. The
 * connection is not one of the pool, so that requests do not wait for it. Only one process opens an
 * embedded database, which needs no lock.
 */
export class ReplicaLock {
  private client?: pg.Client;

  constructor(
    private readonly settings: DatabaseSettings,
    private readonly name: string,
  ) {}

  /** Whether this process holds the lock, now or already. */
  async acquire(): Promise<boolean> {
    if (this.settings.kind === 'embedded' || this.client) return true;
    const client = new pg.Client({
      ...clientConfig(this.settings),
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (this.client === client) this.client = undefined;
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ isLocked: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS "isLocked"',
        [advisoryLockId(this.name)],
      );
      if (rows[0]?.isLocked) this.client = client;
    } finally {
      if (!this.client) await client.end();
    }
    return this.client !== undefined;
  }

  async release(): Promise<void> {
    await this.client?.end();
  }
}
