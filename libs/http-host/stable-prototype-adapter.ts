import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { respondToClientError, trackResponse, type DescribeClientError } from './client-errors.js';
import { MAX_CONNECTIONS, MAX_SENDING_MS, SERVER_LIMITS } from './connection-limits.js';
import { GrowingBuffer } from './growing-buffer.js';
import { setHandled } from './request-end.js';
import { handleSequentially } from './request-queue.js';
import { awaitsBody, endAfterBody } from './unread-body.js';

type Next = (error: unknown) => void;

/** Responds to a request that no handler matched, or whose handler failed. */
type UnhandledRequestHandler = (error: unknown, request: Request, response: Response) => void;

/** The JSON of a response, as text or, where it is large, as a stream. */
type Serialize = (response: Response, body: object) => string | Promise<StreamableFile>;

/**
 * A CONNECT request, after which Node parses no more HTTP on the connection and closes it.
 * Otherwise it would create the objects of all pipelined requests that it has read, up to 3,600, on
 * a connection that is closed already. Node assigns these properties, so that they have setters.
 */
const END_OF_HTTP = {
  method: { get: () => 'CONNECT', set: () => undefined },
  upgrade: { get: () => true, set: () => undefined },
};

/**
 * An Express adapter that gives requests and responses stable prototypes. Express replaces the
 * prototype of every request and response object, which invalidates V8's hidden classes and makes
 * requests slower. Here the HTTP server creates the objects with Express's prototypes, so that the
 * replacement changes nothing (docs/decisions/0007).
 */
export class StablePrototypeAdapter extends ExpressAdapter {
  constructor(
    private readonly respondToUnhandled: UnhandledRequestHandler,
    private readonly describeClientError: DescribeClientError,
    private readonly serialize: Serialize,
  ) {
    super();
  }

  override initHttpServer(): void {
    const express = this.getInstance<{ request: object; response: object }>();
    class ExpressRequest extends IncomingMessage {
      /**
       * What arrives before the body is read, which is after the token is checked. Node would keep
       * each chunk as an object of several hundred bytes, and up to 27,000 of them where a body
       * arrives byte by byte.
       */
      private unread: GrowingBuffer | undefined = undefined;
      private isRead = false;

      constructor(socket: Socket) {
        super(socket);
        if (socket.destroyed) Object.defineProperties(this, END_OF_HTTP);
      }

      /**
       * Called by Node's parser with each chunk, and with null at the end. Returns whether more may
       * arrive.
       */
      override push(chunk: Buffer | null): boolean {
        if (chunk === null) this.pushUnread();
        if (chunk === null || this.isRead) return super.push(chunk);
        this.unread ??= new GrowingBuffer();
        this.unread.append(chunk);
        return this.unread.length < this.readableHighWaterMark;
      }

      override _read(size: number): void {
        this.isRead = true;
        this.pushUnread();
        super._read(size);
      }

      private pushUnread(): void {
        const { unread } = this;
        this.unread = undefined;
        if (unread) super.push(unread.bytes());
      }
    }
    class ExpressResponse<
      Received extends IncomingMessage = IncomingMessage,
    > extends ServerResponse<Received> {
      isHandled = false;

      override end(...args: unknown[]): this {
        setHandled(this);
        const [chunk, ...rest] = args as [unknown, BufferEncoding];
        if (awaitsBody(this.req)) void endAfterBody(this, chunk, (onSent) => super.end(onSent));
        else super.end(chunk, ...rest);
        if (this.writableLength > 0) this.limitSending();
        return this;
      }

      private limitSending(): void {
        const timer = setTimeout(() => this.destroy(), MAX_SENDING_MS).unref();
        this.once('close', () => clearTimeout(timer));
      }
    }
    // Subclasses, because V8 shares one hidden class among the instances of a class; changing the
    // prototype of each instance would create a new one every time.
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    express.request = ExpressRequest.prototype;
    express.response = ExpressResponse.prototype;
    const handle = this.handler();
    const server = createServer(
      {
        ...SERVER_LIMITS,
        requireHostHeader: false,
        IncomingMessage: ExpressRequest,
        ServerResponse: ExpressResponse,
      },
      handle,
    );
    server.maxConnections = MAX_CONNECTIONS;
    // Node would reject unknown Expect headers with a response outside the error envelope; a
    // server may ignore them (RFC 9110, 10.1.1).
    server.on('checkExpectation', handle);
    server.on('clientError', (error, socket) => {
      respondToClientError(this.describeClientError, error, socket);
    });
    this.httpServer = server;
  }

  /**
   * Sends JSON and text directly. `response.json` and `response.send` also check whether the client
   * has the response cached, and would send 304 for `If-None-Match: *`.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    // What a handler returns is sent from here, also in parts.
    setHandled(response);
    if (typeof body === 'string') return sendText(response, body, statusCode);
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    const json = this.serialize(response, body);
    if (typeof json !== 'string') {
      return json.then((file) => super.reply(response, file, statusCode) as unknown);
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return sendText(response, json, statusCode);
  }

  /** Express with a final handler: by default it responds with HTML to requests it cannot route. */
  private handler(): (request: IncomingMessage, response: ServerResponse) => void {
    type Handle = (request: IncomingMessage, response: ServerResponse, done: Next) => void;
    const express = this.getInstance<Handle>();
    const handle = handleSequentially((request, response) => {
      express(request, response, (error) => {
        this.respondToUnhandled(error, request as Request, response as Response);
      });
    });
    return (request, response) => {
      trackResponse(request, response);
      handle(request, response);
    };
  }
}

/** Sends a body whose type is set. */
function sendText(response: Response, text: string, statusCode: number | undefined): Response {
  if (statusCode !== undefined) response.statusCode = statusCode;
  response.setHeader('Content-Length', Buffer.byteLength(text));
  return response.end(text);
}
