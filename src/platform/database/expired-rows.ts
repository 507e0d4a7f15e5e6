import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DATABASE_SCHEMA, type Schema } from './data-source.js';
import { Database } from './database.js';

const INTERVAL_MS = 10 * 60_000;

/** Removes expired rows, by `expires_at`. */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ExpiredRows');
  private timer?: NodeJS.Timeout;
  private isRunning = false;

  constructor(
    private readonly database: Database,
    @Inject(DATABASE_SCHEMA) private readonly schema: Schema,
  ) {}

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

  async remove(): Promise<void> {
    for (const table of this.schema.tablesThatExpire) {
      await this.database.systemQuery((manager) =>
        manager.query(`DELETE FROM ${table} WHERE expires_at <= $1`, [new Date()]),
      );
    }
  }
}
