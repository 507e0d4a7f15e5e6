import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { IntegrityService } from '../../src/integrity/integrity.service.js';
import { Metrics } from '../../src/observability/metrics.js';

/** Expects everything that is stored to be as the operators' check wants it. */
export async function expectIntegrity(dataSource: DataSource): Promise<void> {
  const results = await new IntegrityService(new Database(dataSource, new Metrics())).check();
  expect(results.filter(({ found }) => found > 0)).toEqual([]);
}
