import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { noteRequest } from './client-error.js';
import { LIMITS, MAX_CONNECTIONS } from './connection-limits.js';

type Done = (error: unknown) => void;

/** Answers a request that no handler took, or whose handlers failed. */
export type AnswerRest = (error: unknown, request: Request, response: Response) => void;

/**
 * Express gives every request and response object another prototype when it gets them, which costs the
 * engine what it knows about their shape and halves the requests a second. This adapter has the HTTP
 * server make them with that prototype from the start, so that there is nothing left to change
 * (docs/decisions/0007).
 */
export class ShapedExpressAdapter extends ExpressAdapter {
  constructor(private readonly answerRest: AnswerRest) {
    super();
  }

  override initHttpServer(): void {
    const express = this.getInstance<{ request: object; response: object }>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    // Classes of their own, and not these with another `new.target`: V8 keeps one shape for all objects
    // of a class, and would make a new one for each otherwise.
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    express.request = ExpressRequest.prototype;
    express.response = ExpressResponse.prototype;
    const handle = this.handler();
    const server = createServer(
      {
        ...LIMITS,
        requireHostHeader: false,
        IncomingMessage: ExpressRequest,
        ServerResponse: ExpressResponse,
      },
      handle,
    );
    server.maxConnections = MAX_CONNECTIONS;
    // Node would refuse what else a client expects than `100-continue` with an answer of its own; a server
    // may as well pass over it (RFC 9110, 10.1.1).
    server.on('checkExpectation', handle);
    this.httpServer = server;
  }

  /**
   * JSON as it is, without what Express would look for before: settings, another type, a tag, or whether
   * the client has the answer already, which it would take `If-None-Match: *` for.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.statusCode = statusCode;
    const json = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(json));
    return response.end(json);
  }

  /** Express with an end of its own: what it cannot even route it would answer as HTML. */
  private handler(): (request: IncomingMessage, response: ServerResponse) => void {
    type Handle = (request: IncomingMessage, response: ServerResponse, done: Done) => void;
    const express = this.getInstance<Handle>();
    return (request, response) => {
      noteRequest(request, response);
      express(request, response, (error) => {
        this.answerRest(error, request as Request, response as Response);
      });
    };
  }
}
