import config from './base.config.js';

/** Tests of pure functions, run once per mutant. */
export default {
  ...config,
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/test/properties/**/*.{spec,long-spec}.ts',
    '!**/fields.spec.ts',
  ],
  // Stryker replaces this one by its own.
  testEnvironment: 'node',
  setupFiles: [...(config.setupFiles ?? []), '<rootDir>/test/support/mutation-setup.js'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
