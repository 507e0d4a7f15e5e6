import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Whether the process is on its way out: it still serves, and asks everyone to go elsewhere. */
@Injectable()
export class Lifecycle {
  private draining = false;

  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
  }

  /** Tells clients that keep their connection open to open the next one, which goes elsewhere. */
  readonly releaseConnections = (
    _request: Request,
    response: Response,
    next: NextFunction,
  ): void => {
    if (this.draining) response.setHeader('Connection', 'close');
    next();
  };
}
