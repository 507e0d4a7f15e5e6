import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { IntegrityService } from '../../src/operators/integrity/integrity.service.js';
import { databaseOf } from './database-access.js';

/** Expects the operators' integrity check to find no problem. */
export async function expectIntegrity(dataSource: DataSource): Promise<void> {
  const results = await new IntegrityService(databaseOf(dataSource)).check();
  expect(results.filter(({ problemCount }) => problemCount > 0)).toEqual([]);
}
