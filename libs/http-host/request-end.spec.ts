import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { onRequestEnd, setHandled, type HandledResponse } from './request-end.js';

/** A response, which is `closed` before it emits `close`. */
class TestResponse extends EventEmitter implements HandledResponse {
  closed = false;

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('a request', () => {
  const steps = {
    handled: (response: TestResponse) => setHandled(response),
    closed: (response: TestResponse) => response.close(),
  };

  it.each([
    ['handled', 'closed'],
    ['closed', 'handled'],
  ] as const)('ends once when it is %s and then %s', (first, last) => {
    const response = new TestResponse();
    let ends = 0;
    onRequestEnd(response, () => (ends += 1));
    steps[first](response);
    // A callback that comes late waits for the same.
    onRequestEnd(response, () => (ends += 1));
    expect(ends).toBe(0);
    steps[last](response);
    expect(ends).toBe(2);
    onRequestEnd(response, () => (ends += 1));
    expect(ends).toBe(3);
  });
});
