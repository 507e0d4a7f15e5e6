import config from './base.config.js';

/**
 * Tests in a browser, which `npm test` does not need. One file at a time: a page with all operations
 * takes the cores of the machine for half a minute, in which other pages do not respond.
 */
export default {
  ...config,
  testMatch: ['**/*.browser-spec.ts'],
  maxWorkers: 1,
  testTimeout: 180_000,
};
