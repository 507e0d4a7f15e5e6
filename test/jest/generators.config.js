import config from './base.config.js';

/**
 * Tests of generated clients, whose compilers use all cores: in a run of their own, without tests
 * of limits in time. With `--all` also those of less used generators, which take long.
 */
export default {
  ...config,
  testMatch: process.argv.includes('--all')
    ? ['**/*.generator-spec.ts']
    : ['**/generated-clients.generator-spec.ts'],
};
