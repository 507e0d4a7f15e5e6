const HANDLED = Symbol('HANDLED');

/** A response that knows whether the handler of its request has finished. */
export interface HandledResponse extends NodeJS.EventEmitter {
  closed: boolean;
  isHandled?: boolean;
}

/**
 * Marks that the handler of a request has finished: it has a response, which may still have to be
 * sent.
 */
export function setHandled(response: HandledResponse): void {
  response.isHandled = true;
  if (response.closed) response.emit(HANDLED);
}

/**
 * Calls back when a request has ended: its response is sent or its client has disconnected, and its
 * handler has finished, which goes on without the client.
 */
export function onRequestEnd(response: HandledResponse, callback: () => void): void {
  const awaitHandler = (): void => {
    if (response.isHandled) callback();
    else response.once(HANDLED, callback);
  };
  if (response.closed) awaitHandler();
  else response.once('close', awaitHandler);
}
