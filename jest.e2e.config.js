import config from './jest.config.js';

/** Tests that start whole processes and databases of their own: apart, because they take minutes. */
export default { ...config, testMatch: ['**/*.e2e-spec.ts'] };
