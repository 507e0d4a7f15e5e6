import config from './base.config.js';

if (!process.env.TEST_DATABASE_URL || !process.env.TEST_CITUS_WORKERS) {
  throw new Error(
    'Set TEST_DATABASE_URL to a Citus coordinator and TEST_CITUS_WORKERS to the URLs of its workers, separated by commas',
  );
}

/**
 * The tests of the API and of races on distributed tables. Creating a database takes seconds, so
 * one file at a time.
 */
export default {
  ...config,
  testMatch: [
    '**/test/{integration,properties,model}/**/*.{spec,long-spec}.ts',
    '**/test/citus/*.citus-spec.ts',
    '**/test/servers/{*-races,changes,idempotency}.server-spec.ts',
  ],
  maxWorkers: 1,
  testTimeout: 180_000,
};
