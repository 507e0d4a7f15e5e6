import config from './base.config.js';

/**
 * Tests of generated clients, whose compilers use all cores: in a run of their own, without tests
 * of limits in time.
 */
export default { ...config, testMatch: ['**/*.generator-spec.ts'] };
