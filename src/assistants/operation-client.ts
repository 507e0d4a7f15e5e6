import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connectInProcess } from '#http-host';
import { holdFor } from '../platform/http/held-memory.js';
import { disconnection } from '../platform/http/request-end.js';
import { REQUEST_ID_HEADER, requestIdOf } from '../platform/http/request-id.js';
import type { OperationRequest } from './tool-request.js';

/**
 * What an assistant gets at most of one response: more would not fit into what it can read at a
 * time.
 */
export const MAX_RESULT_BYTES = 262_144;

/** Headers of the caller by which the operation knows whom it serves. */
const FORWARDED_HEADERS = [
  ...['authorization', 'host', 'user-agent', 'traceparent'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
];

export interface OperationResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** JSON, or empty; undefined if it is too long. */
  body: string | undefined;
}

/**
 * Sends requests for operations to the server of this process, for the client of another request:
 * guards, limits, validation and errors are those of the operation.
 */
@Injectable()
export class OperationClient {
  private readonly forwarded = new WeakSet<Request>();

  constructor(private readonly adapterHost: HttpAdapterHost<ExpressAdapter>) {}

  /** Whether an operation has counted the request. */
  hasForwarded(request: Request): boolean {
    return this.forwarded.has(request);
  }

  /**
   * Sends a request with the token and the address of a caller, and ends it when the caller
   * disconnects.
   *
   * @throws an error of the connection, after which nobody waits for the response
   */
  async send(caller: Request, sent: OperationRequest): Promise<OperationResponse> {
    const response = caller.res as Response;
    const server = this.adapterHost.httpAdapter.getHttpServer();
    this.forwarded.add(caller);
    const request = sendRequest({
      method: sent.method,
      path: sent.path,
      headers: { ...headersOf(caller), ...sent.headers },
      createConnection: () => connectInProcess(server, caller.socket.remoteAddress),
      signal: disconnection(response),
    });
    const received = once(request, 'response') as Promise<[IncomingMessage]>;
    // What happens after the response has begun is an error of the response.
    request.on('error', () => undefined);
    request.end(sent.body);
    const [answer] = await received;
    // Such as one whose address is too long, or that a token may not send.
    if (answer.headers.ratelimit === undefined) this.forwarded.delete(caller);
    return {
      status: answer.statusCode ?? 500,
      headers: answer.headers,
      body: await readText(answer, response),
    };
  }
}

function headersOf(caller: Request): OutgoingHttpHeaders {
  const forwarded = FORWARDED_HEADERS.map((name) => [name, caller.headers[name]] as const);
  return {
    ...Object.fromEntries(forwarded.filter(([, value]) => value !== undefined)),
    [REQUEST_ID_HEADER]: requestIdOf(caller),
  };
}

/** @returns undefined if there is more than an assistant gets, or than fits into the memory for it */
async function readText(answer: IncomingMessage, response: Response): Promise<string | undefined> {
  const holding = holdFor(response);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    // To leave the loop closes the connection.
    if (length > MAX_RESULT_BYTES || !holding.resize(length)) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
