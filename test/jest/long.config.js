import config from './base.config.js';

/**
 * Tests that repeat much work: random sequences and properties, fuzzing, races and limits. Not part
 * of `npm test`, because they take minutes.
 */
export default { ...config, testMatch: ['**/*.long-spec.ts'] };
