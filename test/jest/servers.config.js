import config from './base.config.js';

/** Tests that start PostgreSQL and Redis servers, which `npm test` does not need. */
export default {
  ...config,
  testMatch: ['**/*.server-spec.ts'],
  // These tests start their own database servers.
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 180_000,
};
