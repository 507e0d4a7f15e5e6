import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { GrowingBuffer } from './growing-buffer.js';

describe('a growing buffer', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([0, 1, 100, 16_384, 16_385, 131_071, 131_073, 1_000_000])(
    'has the %i bytes of its parts in order',
    (length) => {
      const bytes = randomBytes(length);
      for (const partLength of [1, 999, 65_536]) {
        const buffer = new GrowingBuffer();
        for (let at = 0; at < length; at += partLength) {
          buffer.append(bytes.subarray(at, at + partLength));
        }
        expect(buffer).toHaveLength(length);
        expect(buffer.bytes().equals(bytes)).toBe(true);
      }
    },
  );

  it('has the bytes of parts whose memory it returns, and returns its own', () => {
    const bytes = randomBytes(1_000_000);
    const buffer = new GrowingBuffer();
    for (let at = 0; at < bytes.length; at += 999) {
      // Not a part of another buffer, as those of Node's parser.
      buffer.append(Buffer.from(Uint8Array.from(bytes.subarray(at, at + 999)).buffer));
    }
    expect(buffer).toHaveLength(bytes.length);
    const all = buffer.bytes();
    buffer.free();
    expect(all.equals(bytes)).toBe(true);
  });

  it('does not copy the only part', () => {
    const part = randomBytes(1000);
    const buffer = new GrowingBuffer();
    buffer.append(part);
    expect(buffer.bytes()).toBe(part);
  });

  it('keeps a large body that arrives byte by byte in few blocks', () => {
    const allocations = jest.spyOn(Buffer, 'allocUnsafe');
    const buffer = new GrowingBuffer();
    const part = Buffer.from('x');
    for (let n = 0; n < 1_000_000; n += 1) buffer.append(part);
    expect(allocations.mock.calls.length).toBeLessThan(15);
    expect(buffer).toHaveLength(1_000_000);
  });
});
