import config from './jest.config.js';

/** Tests of what computes: what mutation testing runs, over and over, so without database and framework. */
export default {
  ...config,
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/test/properties/**/*.spec.ts',
    '!**/fields.spec.ts',
  ],
  setupFiles: ['<rootDir>/test/support/mutation-setup.js'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
