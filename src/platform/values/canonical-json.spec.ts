import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('canonicalJson sorts the keys of objects at every level, and keeps the order of arrays', () => {
    expect(canonicalJson({ b: [2, { d: null, c: 'x' }], a: true, e: undefined })).toBe(
      '{"a":true,"b":[2,{"c":"x","d":null}]}',
    );
  });

  it('canonicalJson writes no value as null', () => {
    expect(canonicalJson([undefined, null])).toBe('[null,null]');
  });

  it('canonicalJson is bounded for values that are nested deeply', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(canonicalJson(nested(50_000))).toBe(canonicalJson(nested(60_000)));
    expect(canonicalJson(nested(8))).not.toBe(canonicalJson(nested(9)));
  });
});
