import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from './database.js';

const INTERVAL_MS = 10 * 60_000;

/**
 * Removes expired rows (by `expires_at`) from the tables that modules register.
 */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ExpiredRows');
  private readonly tables: string[] = [];
  private timer?: NodeJS.Timeout;
  private isRunning = false;

  constructor(private readonly database: Database) {}

  register(table: string): void {
    this.tables.push(table);
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
      await this.database.unowned((manager) =>
        manager.query(`DELETE FROM ${table} WHERE expires_at <= $1`, [new Date()]),
      );
    }
  }
}
