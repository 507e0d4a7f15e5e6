import config from './base.config.js';

/**
 * Tests that start whole processes and databases of their own. Not part of `npm test`, because they
 * take minutes.
 */
export default { ...config, testMatch: ['**/*.e2e-spec.ts'], testTimeout: 180_000 };
