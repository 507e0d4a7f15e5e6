import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Database } from '../platform/database/database.js';
import { OPEN_DATABASE } from '../platform/database/database.module.js';
import type { OpenDatabase } from '../platform/database/open-database.js';
import { completesWithin } from '../platform/process/completes-within.js';

const NAME = 'database';
const QUERY_TIMEOUT_MS = 2000;

/**
 * Checks that the database responds in time and accepts writes. An embedded one may be busy:
 * requests wait, and so does the check.
 */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
    @Inject(OPEN_DATABASE) private readonly opened: Pick<OpenDatabase, 'isBusy'>,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(NAME);
    try {
      const isWritable = this.database.isWritable();
      if (!(await completesWithin(isWritable, QUERY_TIMEOUT_MS))) {
        return this.opened.isBusy() ? indicator.up() : indicator.down();
      }
      return (await isWritable) ? indicator.up() : indicator.down('read-only');
    } catch {
      return indicator.down();
    }
  }
}
