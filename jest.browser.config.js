import config from './jest.config.js';

/** Tests in a real browser: apart, so that the plain tests need none. */
export default { ...config, testMatch: ['**/*.browser-spec.ts'] };
