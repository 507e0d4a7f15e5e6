import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  rootDir: '../..',
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test'],
  // The sources of the libraries, where Node.js finds what is built (`imports` of package.json).
  testEnvironmentOptions: {
    customExportConditions: ['expense-service:source', 'node', 'node-addons'],
  },
  testEnvironment: '<rootDir>/test/jest/environment.js',
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript sources import other sources by the names of the compiled files.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  setupFiles: ['<rootDir>/test/support/throttler-setup.js'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testTimeout: 60_000,
  // More than the cores, because many tests wait for other processes and for time to pass.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  workerIdleMemoryLimit: '1GB',
};
