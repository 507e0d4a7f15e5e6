import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ClientMemory, LARGE_BYTES, type Holding } from './client-memory.js';

const MB = 1_000_000;

/** Opens as many holdings of the same size, each of another user, as fit. */
function fill(memory: ClientMemory, bytes: number): Holding[] {
  const holdings: Holding[] = [];
  for (;;) {
    const holding = memory.open({ user: `filler ${holdings.length}` });
    if (!holding.resize(bytes)) return holdings;
    holdings.push(holding);
  }
}

describe('the memory for clients', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has 64 MB, of which what is larger than 131,072 bytes gets half', () => {
    const memory = new ClientMemory();
    const large = fill(memory, MB);
    expect(large).toHaveLength(32);
    expect(fill(memory, LARGE_BYTES)).toHaveLength(Math.floor((32 * MB) / LARGE_BYTES));
    const other = memory.open({ user: 'other' });
    expect(other.resize(MB)).toBe(false);
    large[0]?.resize(LARGE_BYTES);
    expect([other.resize(MB), other.resize(MB - LARGE_BYTES)]).toEqual([false, true]);
  });

  it('has 16 MB for a user, of which a single thing may take more', () => {
    const memory = new ClientMemory();
    const [first, second] = [memory.open({ user: 'a' }), memory.open({ user: 'a' })];
    expect([first.resize(10 * MB), second.resize(6 * MB)]).toEqual([true, true]);
    expect([first.resize(10 * MB + 1), first.bytes]).toEqual([false, 10 * MB]);
    second.release();
    expect([first.resize(30 * MB), second.resize(1)]).toEqual([true, false]);
    expect(memory.open({ user: 'a' }).resize(1)).toBe(false);
    expect(memory.open({ user: 'b' }).resize(2 * MB)).toBe(true);
  });

  it('has 4 MB for a network of strangers, and 16 MB for all of them', () => {
    const memory = new ClientMemory();
    const of = (network: string): Holding => memory.open({ network });
    expect(of('1').resize(4 * MB + 1)).toBe(false);
    expect(['1', '2', '3', '4', '5'].map((network) => of(network).resize(4 * MB))).toEqual([
      ...[true, true, true, true],
      false,
    ]);
    expect(memory.open({ user: 'a' }).resize(16 * MB)).toBe(true);
  });

  it('is free again when what is held is released, which holds nothing any more', () => {
    const memory = new ClientMemory();
    const filled = fill(memory, MB);
    for (const holding of filled) {
      holding.release();
      holding.release();
      expect(holding.resize(1)).toBe(false);
    }
    expect(fill(memory, MB)).toHaveLength(filled.length);
  });

  it('ends the oldest unfinished large bodies, from 30 s on, for what needs their bytes', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const memory = new ClientMemory();
    const ended: number[] = [];
    const bodies = [1, 2, 3].map((n) => {
      const body: Holding = memory.open({ user: `user ${n}` }, () => {
        ended.push(n);
        body.release();
      });
      body.resize(10 * MB);
      return body;
    });
    const small = memory.open({ user: 'small' }, () => ended.push(0));
    small.resize(1);
    const needs = (bytes: number): boolean => memory.open({ user: 'other' }).resize(bytes);
    now.mockReturnValue(29_999);
    expect([needs(3 * MB), ended]).toEqual([false, []]);
    now.mockReturnValue(30_000);
    // It would not fit without them either.
    expect([memory.open({ network: 'x' }).resize(5 * MB), ended]).toEqual([false, []]);
    expect([needs(3 * MB), ended]).toEqual([true, [1]]);
    expect([bodies[1]?.bytes, bodies[2]?.bytes]).toEqual([10 * MB, 10 * MB]);
  });
});
