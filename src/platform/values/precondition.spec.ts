import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors/domain-error.js';
import { etagOf, Precondition } from './precondition.js';

/** The details of the error; undefined if the header matches. */
async function detailsOf(header: string, representation: { updated_at: string }): Promise<unknown> {
  try {
    await Precondition.ofIfMatch(header).assert(() => representation);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
}

describe('a precondition', () => {
  it('names a proxy as the cause for every ETag, also for one that has dashes', async () => {
    for (let n = 0; n < 1000; n += 1) {
      const representation = { updated_at: '2026-11-25T10:00:00.840Z', n };
      const etag = etagOf(representation);
      expect(await detailsOf(etag, representation)).toBeUndefined();
      for (const changed of [`W/${etag}`, `${etag.slice(0, -1)}-gzip"`]) {
        expect(await detailsOf(changed, representation)).toEqual({ cause: 'proxy' });
      }
    }
  });
});
