import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Settings } from '../config/settings.js';
import { MAIL_SHUTDOWN_MS } from '../mail/mail-queue.js';
import { completesWithin } from './completes-within.js';
import { Lifecycle } from './lifecycle.js';

/** Idle connections are closed at once during a shutdown. */
const SHUTDOWN_KEEP_ALIVE_TIMEOUT_MS = 1;

/** Maximum wait for a graceful close after requests and mails. */
const CLOSE_TIMEOUT_MS = 1000;

/** Maximum wait after the last request: for mails, and for the database to close. */
const maxCloseMs = ({ mail }: Settings): number => (mail ? MAIL_SHUTDOWN_MS : 0) + CLOSE_TIMEOUT_MS;

/** How long a shutdown takes at most. */
export const maxShutdownMs = (settings: Settings): number =>
  (settings.shutdown.delaySeconds + settings.shutdown.timeoutSeconds) * 1000 + maxCloseMs(settings);

export const stopMessage = (signal: NodeJS.Signals): string =>
  signal === 'SIGINT' ? 'Stopping; Ctrl-C again stops at once' : `Stopping (${signal})`;

/** Shuts down gracefully: see docs/operations.md. */
export async function shutDown(app: NestExpressApplication, settings: Settings): Promise<void> {
  const { delaySeconds, timeoutSeconds } = settings.shutdown;
  const server = app.getHttpServer();
  app.get(Lifecycle, { strict: false }).drain();
  server.keepAliveTimeout = SHUTDOWN_KEEP_ALIVE_TIMEOUT_MS;
  await setTimeout(delaySeconds * 1000);
  const requestsUntil = performance.now() + timeoutSeconds * 1000;
  const closed = app.close();
  const requestsEnded = Promise.race([once(server, 'close'), closed]);
  if (!(await completesWithin(requestsEnded, timeoutSeconds * 1000))) {
    new Logger('Service').warn(
      `Requests still in progress after ${timeoutSeconds} s; closing their connections`,
    );
    server.closeAllConnections();
  }
  // A statement in progress on the server is not interrupted by this.
  const unusedMs = Math.max(0, requestsUntil - performance.now());
  await completesWithin(closed, unusedMs + maxCloseMs(settings));
}
