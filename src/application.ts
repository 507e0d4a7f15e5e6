/** The HTTP application of the modules, which the service, the demo and the tests run. */
import { NotFoundException, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Request, type Response } from 'express';
import { StablePrototypeAdapter } from '#http-host';
import { AppModule, ERROR_FILTER } from './app.module.js';
import { REPLAYED_HEADER } from './idempotency/idempotency.interceptor.js';
import type { Settings } from './platform/config/settings.js';
import { describeClientError } from './platform/http/client-error.js';
import { crossOrigin, refuseOtherOrigins } from './platform/http/cross-origin.js';
import { requireHost } from './platform/http/host-header.js';
import { toJson } from './platform/http/json-response.js';
import { registerMethodNotAllowedFirst } from './platform/http/method-not-allowed.js';
import { publicPrefix } from './platform/http/public-url.js';
import { assignRequestId, requestIdOf } from './platform/http/request-id.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { observeRequests } from './platform/logging/request-log.js';
import { createLogger } from './platform/logging/service-logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import {
  API_PREFIX,
  DOCS_PATH,
  setUpDocs,
  type CompleteDocument,
} from './platform/openapi/openapi.js';
import { Lifecycle } from './platform/process/lifecycle.js';

/**
 * Creates the application with all modules; {@link configureApplication} makes it ready to listen.
 *
 * @param more modules that only the sandbox or the demo has
 */
export function createApplication(
  settings: Settings,
  ...more: DynamicModule[]
): Promise<NestExpressApplication> {
  return NestFactory.create<NestExpressApplication>(
    AppModule.register(settings, ...more),
    new StablePrototypeAdapter(respondToUnhandled, describeClientError, toJson),
    {
      bodyParser: false,
      logger: createLogger(settings.logFormat, settings.logLevel),
      abortOnError: false,
    },
  );
}

/**
 * Sets up middleware, the docs and what Nest does not handle, and initializes the modules.
 *
 * @param sandbox what only the sandbox has: paths of routes outside the API prefix, and values in the
 *   OpenAPI document that is served
 */
export async function configureApplication(
  app: NestExpressApplication,
  settings: Settings,
  sandbox: { rootPaths?: readonly string[]; completeDocument?: CompleteDocument } = {},
): Promise<void> {
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  // Responses are `no-store`, so that automatic ETags have no use.
  app.disable('etag');
  app.setGlobalPrefix(API_PREFIX, {
    exclude: [
      ...['health/live', 'health/ready', 'calendar/:token.ics'],
      ...['account', 'account/password-reset', 'account/password-reset/confirm'],
      ...['account/reminders/confirm', 'account/reminders/unsubscribe'],
      'mcp',
      ...(sandbox.rootPaths ?? []),
    ],
  });
  const beforeRoutes = Router();
  app.use(
    assignRequestId,
    observeRequests(app.get(Metrics), createLogger(settings.logFormat, settings.logLevel)),
    crossOrigin(settings.corsOrigins, [REPLAYED_HEADER]),
    app.get(Lifecycle, { strict: false }).closeConnections,
    securityHeaders(`/${DOCS_PATH}`),
    requireHost,
    beforeRoutes,
  );
  if (settings.isMcpEnabled) app.use('/mcp', refuseOtherOrigins(settings.corsOrigins));
  setUpDocs(app, settings, sandbox.completeDocument);
  const express = app.getHttpAdapter().getInstance();
  for (const path of ['/', `/${API_PREFIX}`]) {
    express.get(path, (_request, response) => {
      response.redirect(`${publicPrefix(settings)}/${DOCS_PATH}`);
    });
  }
  await app.init();
  registerMethodNotAllowedFirst(beforeRoutes, express);
}

/** Sends the error envelope for requests that do not reach Nest or not even the middleware. */
function respondToUnhandled(error: unknown, request: Request, response: Response): void {
  if (requestIdOf(request) === '') assignRequestId(request, response, () => undefined);
  ERROR_FILTER.respond(error ?? new NotFoundException(), request, response);
}
