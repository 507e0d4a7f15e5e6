import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';

/**
 * Express gives every request and response object another prototype when it gets them, which costs the
 * engine what it knows about their shape and halves the requests a second. This adapter has the HTTP
 * server make them with that prototype from the start, so that there is nothing left to change
 * (docs/decisions/0007).
 */
export class ShapedExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<{ request: object; response: object }>();
    this.httpServer = createServer(
      {
        IncomingMessage: withPrototype<typeof IncomingMessage>(IncomingMessage, express.request),
        ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, express.response),
      },
      this.getInstance(),
    );
  }
}

/** A constructor that makes what the base makes, but with the prototype from the start. */
function withPrototype<Constructor extends abstract new (...args: never[]) => object>(
  base: Constructor,
  prototype: object,
): Constructor {
  function Shaped(...args: unknown[]): object {
    return Reflect.construct(base as unknown as new () => object, args, Shaped) as object;
  }
  Shaped.prototype = prototype;
  return Shaped as unknown as Constructor;
}
