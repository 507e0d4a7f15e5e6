import { describe, expect, it } from '@jest/globals';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { FairQueue } from './fair-queue.js';

const refusal = (): Error => new Error('refused');

/** Begins work of each key and returns the order in which it has begun. */
function beginAll(
  queue: FairQueue<string>,
  keys: string,
): { begun: string[]; ends: (() => void)[] } {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  for (const key of keys) {
    void queue.begin(key).then((end) => {
      begun.push(key);
      ends.push(end);
    });
  }
  return { begun, ends };
}

describe('a fair queue', () => {
  it('a fair queue lets keys take turns, and work of one key run in its order', async () => {
    const queue = new FairQueue<string>({ max: 1, refusal });
    const { begun, ends } = beginAll(queue, 'aaaabbc');
    for (let n = 0; n < 7; n += 1) {
      await setImmediate();
      ends[n]?.();
    }
    expect(begun.join('')).toBe('aabcaba');
  });

  it('a fair queue runs at most its maximum, and at most the maximum of a key', async () => {
    const queue = new FairQueue<string>({ max: 4, maxOfKey: () => 2, refusal });
    const { begun, ends } = beginAll(queue, 'aaaabbbc');
    await setImmediate();
    expect(begun.join('')).toBe('aabb');
    expect(queue.waitingCount).toBe(4);
    ends[3]?.();
    await setImmediate();
    // The turn of a comes first, but two of a are running.
    expect(begun.join('')).toBe('aabbb');
    ends[0]?.();
    await setImmediate();
    expect(begun.join('')).toBe('aabbba');
    expect(queue.isFree('c')).toBe(false);
  });

  it('a fair queue refuses work beyond what may wait, and work that has waited too long', async () => {
    const queue = new FairQueue<string>({ max: 1, maxWaiting: 1, timeoutMs: 20, refusal });
    const end = await queue.begin('a');
    const waiting = queue.begin('b');
    await expect(queue.begin('c')).rejects.toThrow('refused');
    await expect(waiting).rejects.toThrow('refused');
    expect(queue.waitingCount).toBe(0);
    end();
    (await queue.begin('c'))();
  });

  it('a fair queue refuses work beyond what may wait of a key, and lets other keys wait', async () => {
    const queue = new FairQueue<string>({ max: 1, maxWaitingOfKey: 2, refusal });
    const end = await queue.begin('a');
    const waiting = [queue.begin('a'), queue.begin('a'), queue.begin('b')];
    await expect(queue.begin('a')).rejects.toThrow('refused');
    end();
    for (const next of waiting) void next.then((endOfNext) => endOfNext());
    await Promise.all(waiting);
    (await queue.begin('a'))();
  });

  it('a fair queue does not begin work that is aborted while it waits', async () => {
    const queue = new FairQueue<string>({ max: 1, refusal });
    const end = await queue.begin('a');
    const controller = new AbortController();
    const aborted = queue.begin('b', controller.signal);
    const next = queue.begin('c');
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(queue.begin('d', controller.signal)).rejects.toThrow('disconnected');
    end();
    (await next)();
    await setTimeout(0);
    expect(queue.isFree('a')).toBe(true);
  });

  it('a fair queue goes on after work that fails', async () => {
    const queue = new FairQueue<string>({ max: 1, refusal });
    const failing = queue.run('a', () => Promise.reject(new Error('failed')));
    const next = queue.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
