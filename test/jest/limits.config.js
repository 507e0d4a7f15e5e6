import config from './base.config.js';

/**
 * Tests of limits in time and memory of whole processes, which other tests beside them would use:
 * one file at a time.
 */
export default {
  ...config,
  testMatch: ['**/*.limits-spec.ts'],
  maxWorkers: 1,
  testTimeout: 180_000,
};
