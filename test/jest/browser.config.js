import config from './base.config.js';

/** Tests in a browser, which `npm test` does not need. */
export default { ...config, testMatch: ['**/*.browser-spec.ts'], testTimeout: 180_000 };
