import { BadRequestException } from '@nestjs/common';
import type { Response } from 'express';

/** The client has disconnected, so that nobody reads the response to this error. */
export class DisconnectedError extends BadRequestException {}

/** @throws DisconnectedError */
export function assertConnected(response: Response): void {
  if (response.closed) throw new DisconnectedError();
}

/**
 * Aborts with a {@link DisconnectedError} when the client disconnects before the response is sent.
 */
export function disconnection(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DisconnectedError());
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
