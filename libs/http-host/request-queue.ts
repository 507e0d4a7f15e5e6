import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientMemory, type Holding } from './client-memory.js';
import { SEND_TIMEOUT_MS } from './connection-limits.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What a request that waits takes, without the text of its headers. */
const REQUEST_BYTES = 4096;

/** The requests of a connection that wait for the response to an earlier one. */
interface Queue {
  waiting: (() => void)[];
  memory?: Holding;
}

/**
 * Handles the pipelined requests of a connection one at a time: the next one after the previous
 * response has been sent. By default Node handles all requests of a read at once, possibly
 * thousands, and buffers their responses for a client that does not read them. While requests wait
 * no more are read. A connection is closed if its requests do not fit into the memory for its
 * client, and if its client has read nothing of a response for {@link SEND_TIMEOUT_MS}.
 */
export function handleSequentially(handle: Handle): Handle {
  const queues = new WeakMap<Socket, Queue>();
  const runNext = (socket: Socket): void => {
    const queue = queues.get(socket);
    const next = queue?.waiting.shift();
    if (!next) queues.delete(socket);
    else if (!socket.destroyed) setImmediate(next);
    if (queue?.waiting.length === 0 && queue.memory) {
      queue.memory.resize(0);
      socket.resume();
    }
  };
  return (request, response) => {
    const { socket } = request;
    const run = (): void => {
      response.once('close', () => runNext(socket));
      // The listener is of the response and not of the server: there it would replace the keep-alive
      // timeout.
      response.setTimeout(SEND_TIMEOUT_MS, () => {
        if (socket.writableLength > 0) socket.destroy();
      });
      handle(request, response);
    };
    const queue = queues.get(socket);
    if (!queue) {
      queues.set(socket, { waiting: [] });
      run();
    } else if (holdMemory(queue, request)) {
      queue.waiting.push(run);
      // Node itself resumes the socket at the end of each request that it has parsed.
      setImmediate(() => {
        if (queue.waiting.length > 0) socket.pause();
      });
    } else {
      socket.destroy();
    }
  };
}

/** @returns whether the request fits beside those that wait already */
function holdMemory(queue: Queue, { socket, rawHeaders }: IncomingMessage): boolean {
  if (!queue.memory) {
    const memory = clientMemory.open({ network: socket.remoteAddress ?? '' });
    socket.once('close', () => memory.release());
    queue.memory = memory;
  }
  const { memory } = queue;
  return memory.resize(memory.bytes + REQUEST_BYTES + rawHeaders.join('').length);
}
