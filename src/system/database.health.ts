import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Database } from '../platform/database/database.js';
import { completesWithin } from '../platform/process/completes-within.js';

const NAME = 'database';
const QUERY_TIMEOUT_MS = 2000;

/** Checks that the database responds in time and accepts writes. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(NAME);
    try {
      const isWritable = this.database.isWritable();
      if (!(await completesWithin(isWritable, QUERY_TIMEOUT_MS))) return indicator.down();
      return (await isWritable) ? indicator.up() : indicator.down('read-only');
    } catch {
      return indicator.down();
    }
  }
}
