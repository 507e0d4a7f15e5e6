import config from './jest.config.js';

/** Tests of what computes and asks no database: what mutation testing runs, again and again. */
export default {
  ...config,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/properties/**/*.spec.ts'],
  testEnvironment: 'node',
  globalSetup: undefined,
  globalTeardown: undefined,
};
