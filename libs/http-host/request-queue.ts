import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_QUEUED_REQUESTS, SEND_TIMEOUT_MS } from './connection-limits.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles the pipelined requests of a connection one at a time: the next one after the previous
 * response has been sent. By default Node handles all requests of a read at once, possibly
 * thousands, and buffers their responses for a client that does not read them. A connection with
 * too many queued requests is closed, and one whose client has read nothing of a response for
 * {@link SEND_TIMEOUT_MS}.
 */
export function handleSequentially(handle: Handle): Handle {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    const run = (): void => {
      response.once('close', () => {
        const next = queue.shift();
        if (!next) queues.delete(socket);
        else if (!socket.destroyed) setImmediate(next);
      });
      // Of the response and not of the server: a listener there would replace the keep-alive
      // timeout.
      response.setTimeout(SEND_TIMEOUT_MS, () => {
        if (socket.writableLength > 0) socket.destroy();
      });
      handle(request, response);
    };
    if (!queues.has(socket)) {
      queues.set(socket, queue);
      run();
    } else if (queue.length < MAX_QUEUED_REQUESTS) {
      queue.push(run);
    } else {
      socket.destroy();
    }
  };
}
