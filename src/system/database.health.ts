import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Database } from '../database/database.js';

const NAME = 'database';
const ANSWER_WITHIN_MS = 2000;

/** Whether the database answers a query in time. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(NAME);
    try {
      await inTime(this.database.manager.query('SELECT 1'));
      return indicator.up();
    } catch {
      return indicator.down();
    }
  }
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), ANSWER_WITHIN_MS);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
