import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { IntegrityService } from '../../src/operators/integrity/integrity.service.js';
import { Database } from '../../src/platform/database/database.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';

/** Expects the operators' integrity check to find no problem. */
export async function expectIntegrity(dataSource: DataSource): Promise<void> {
  const results = await new IntegrityService(new Database(dataSource, new Metrics())).check();
  expect(results.filter(({ problemCount }) => problemCount > 0)).toEqual([]);
}
