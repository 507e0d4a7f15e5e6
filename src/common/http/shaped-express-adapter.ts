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
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    // Classes of their own, and not these with another `new.target`: V8 keeps one shape for all objects
    // of a class, and would make a new one for each otherwise.
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    express.request = ExpressRequest.prototype;
    express.response = ExpressResponse.prototype;
    this.httpServer = createServer(
      { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse },
      this.getInstance(),
    );
  }
}
