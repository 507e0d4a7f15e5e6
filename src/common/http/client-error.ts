import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from '../errors/error-body.js';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js';

const TOO_LARGE = 'HPE_HEADER_OVERFLOW';
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** To the latest request of each connection. */
const latestResponses = new WeakMap<Duplex, ServerResponse>();

/** Lets {@link answerClientError} know what is being answered already. */
export function noteRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  latestResponses.set(socket, response);
}

/**
 * Answers what Node's HTTP parser cannot read with the error envelope, and hangs up. What comes before it on
 * the connection is answered first, and no request twice: a client takes answers in the order of its requests.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const latest = latestResponses.get(socket);
  if (error.code === 'ECONNRESET') {
    socket.destroy();
  } else if (!latest) {
    refuse(error, socket);
  } else if (latest.req.complete) {
    whenAnswered(latest, () => refuse(error, socket));
  } else if (latest.headersSent) {
    whenAnswered(latest, () => socket.destroy());
  } else {
    refuse(error, socket);
  }
}

function whenAnswered(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('close', act);
}

function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = code === TOO_LARGE ? 431 : code === TIMED_OUT ? 408 : 400;
  const body = JSON.stringify(errorBody('VALIDATION_ERROR', 'The request is not readable HTTP'));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      `${REQUEST_ID_HEADER}: ${newRequestId()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
