import config from './base.config.js';

/**
 * Tests of the image and of compose.yaml in a container engine, which `.ci/with-docker` provides.
 */
export default {
  ...config,
  testMatch: ['**/*.container-spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  // One engine for all.
  maxWorkers: 1,
  testTimeout: 600_000,
};
