import { describe, expect, it } from '@jest/globals';
import { nodeVersionWarning } from './node-version.js';

describe('the version of Node.js', () => {
  it.each(['22.23.4', '22.24.0', '24.22.1', '24.100.0', '26.12.1', '28.0.0'])(
    '%s is maintained',
    (version) => {
      expect(nodeVersionWarning(version)).toBeUndefined();
    },
  );

  it.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.11.0', '24.9.0', '25.9.0', '26.12.0'])(
    '%s lacks security fixes',
    (version) => {
      expect(nodeVersionWarning(version)).toBe(
        `Node.js ${version} lacks security fixes: use 22.23.4, 24.22.1, 26.12.1 or a later version of them`,
      );
    },
  );
});
