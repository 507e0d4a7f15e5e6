import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_DISCARD_MS } from './connection-limits.js';

const TOO_LARGE = 'HPE_HEADER_OVERFLOW';
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** The headers and the JSON of the response to a request that cannot be read. */
export type DescribeClientError = (status: 400 | 408 | 431) => {
  headers: Record<string, string>;
  body: object;
};

/** The response to the latest request of each connection. */
const latestResponses = new WeakMap<Duplex, ServerResponse>();

/** Records the response in progress for {@link respondToClientError}. */
export function trackResponse({ socket }: IncomingMessage, response: ServerResponse): void {
  latestResponses.set(socket, response);
}

/**
 * Responds to a request that Node's HTTP parser cannot read and closes the connection. Earlier
 * requests of the connection get their responses first, and none gets two: a client matches
 * responses to its requests by their order. A client that does not close the connection too is
 * disconnected. Bytes after a request with `Connection: close` are ignored.
 */
export function respondToClientError(
  describe: DescribeClientError,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  const latest = latestResponses.get(socket);
  if (error.code === 'ECONNRESET' || isUnused(socket)) {
    socket.destroy();
  } else if (!latest) {
    sendError(describe, error, socket);
  } else if (latest.req.complete && !latest.shouldKeepAlive) {
    // Node closes the connection after this response, and nothing after the request is processed
    // (RFC 9112, 9.6).
  } else if (latest.req.complete) {
    afterResponse(latest, () => sendError(describe, error, socket));
  } else if (latest.headersSent) {
    afterResponse(latest, () => socket.destroy());
  } else if (latest.socket) {
    sendError(describe, error, socket);
  } else {
    // A response gets the socket when those before it have been sent.
    latest.once('socket', () => sendError(describe, error, socket));
  }
}

/**
 * Whether nothing has arrived, as on a connection that a client has opened in advance: it would
 * take a 408 for the response to its first request, which may be on its way.
 */
const isUnused = (socket: Duplex): boolean => socket instanceof Socket && socket.bytesRead === 0;

function afterResponse(response: ServerResponse, action: () => void): void {
  if (response.writableFinished) action();
  else response.once('close', action);
}

function sendError(
  describe: DescribeClientError,
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = code === TOO_LARGE ? 431 : code === TIMED_OUT ? 408 : 400;
  const described = describe(status);
  const body = JSON.stringify(described.body);
  const timer = setTimeout(() => socket.destroy(), MAX_DISCARD_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      ...Object.entries(described.headers).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
