import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from './database.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH_SIZE = 500;

/**
 * Removes rows whose `expires_at` is over, from the tables that modules register. Each batch is a short
 * transaction of its own; several processes skip the rows that another one is removing.
 */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ExpiredRows');
  private readonly tables: { name: string; primaryKey: string }[] = [];
  private timer?: NodeJS.Timeout;
  private isRunning = false;

  constructor(private readonly database: Database) {}

  /** @param primaryKey the columns, separated by commas */
  register(name: string, primaryKey: string): void {
    this.tables.push({ name, primaryKey });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      if (this.isRunning) return;
      this.isRunning = true;
      this.remove()
        .catch((error: unknown) => this.logger.warn(`Not removed: ${String(error)}`))
        .finally(() => (this.isRunning = false));
    }, INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Removes the expired rows of all tables. */
  async remove(): Promise<void> {
    for (const table of this.tables) {
      while ((await this.removeBatch(table)) === BATCH_SIZE);
    }
  }

  private removeBatch({ name, primaryKey }: (typeof this.tables)[number]): Promise<number> {
    return this.database.transaction(async (manager) => {
      const [{ removed = 0 } = {}] = await manager.query<{ removed?: number }[]>(
        `WITH removed AS (
           DELETE FROM ${name} WHERE (${primaryKey}) IN (
             SELECT ${primaryKey} FROM ${name} WHERE expires_at <= now()
             ORDER BY expires_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
           ) RETURNING 1
         )
         SELECT count(*)::int AS removed FROM removed`,
      );
      return removed;
    });
  }
}
