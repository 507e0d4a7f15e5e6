import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Whether the process is shutting down: it still serves, but its readiness probe fails. */
@Injectable()
export class Lifecycle {
  private draining = false;

  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
  }

  /**
   * Closes keep-alive connections after the response during a shutdown, so that clients reconnect
   * elsewhere.
   */
  readonly closeConnections = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.draining) response.setHeader('Connection', 'close');
    next();
  };
}
