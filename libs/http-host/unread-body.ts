import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { MAX_DISCARD_MS } from './connection-limits.js';
import { freeBuffer } from './growing-buffer.js';

/** Whether a part of the body has not arrived yet. */
export const awaitsBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Sends a response whose request has not arrived completely. To close the connection now would
 * reset it, and a client that is still sending would lose the response. So what still arrives is
 * discarded, for {@link MAX_DISCARD_MS} at most, before the response ends; the connection is closed
 * unless the whole body has arrived.
 *
 * @param end ends the response and calls back when all of it is sent
 */
export async function endAfterBody(
  response: ServerResponse,
  chunk: unknown,
  end: (onSent: () => void) => void,
): Promise<void> {
  const request = response.req;
  if (chunk === undefined) response.flushHeaders();
  else response.write(chunk);
  request.on('data', freeBuffer);
  const signal = AbortSignal.timeout(MAX_DISCARD_MS);
  await finished(request, { signal }).catch(() => undefined);
  end(() => {
    if (!request.complete) request.socket.destroy();
  });
}
