/** Makes the HTTP application of the modules: middleware, docs and what Nest does not handle. The tests start here. */
import { NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Request, type Response } from 'express';
import { createOpenApiDocument, documentAt } from './api-document.js';
import { AppModule } from './app.module.js';
import type { Settings } from './platform/config/settings.js';
import { ErrorFilter } from './platform/errors/error.filter.js';
import { respondToClientError } from './platform/http/client-errors.js';
import { crossOrigin } from './platform/http/cross-origin.js';
import { requireHost } from './platform/http/host-header.js';
import { registerMethodNotAllowedFirst } from './platform/http/method-not-allowed.js';
import { publicPrefix } from './platform/http/public-url.js';
import { assignRequestId, requestIdOf } from './platform/http/request-id.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { StablePrototypeAdapter } from './platform/http/stable-prototype-adapter.js';
import { observeRequests } from './platform/logging/request-log.js';
import { createLogger } from './platform/logging/service-logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { API_PREFIX, DOCS_PATH, setUpDocs } from './platform/openapi/openapi.js';
import { Lifecycle } from './platform/process/lifecycle.js';

/** Creates the application, ready to listen; used by production, the demo and the tests. */
export async function createApplication(settings: Settings): Promise<NestExpressApplication> {
  const logger = createLogger(settings.logFormat, settings.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(settings),
    new StablePrototypeAdapter(respondToUnhandled),
    { bodyParser: false, logger, abortOnError: false },
  );
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  // Responses are `no-store`, so that automatic ETags have no use.
  app.disable('etag');
  app.setGlobalPrefix(API_PREFIX, {
    exclude: ['health/live', 'health/ready', 'calendar/:token.ics'],
  });
  const beforeRoutes = Router();
  app.use(
    assignRequestId,
    observeRequests(app.get(Metrics), logger),
    crossOrigin(settings.corsOrigins),
    app.get(Lifecycle, { strict: false }).closeConnections,
    securityHeaders(`/${DOCS_PATH}`),
    requireHost,
    beforeRoutes,
  );
  setUpDocs(app, () => documentAt(createOpenApiDocument(app), settings));
  const express = app.getHttpAdapter().getInstance();
  for (const path of ['/', `/${API_PREFIX}`]) {
    express.get(path, (_request, response) => {
      response.redirect(`${publicPrefix(settings)}/${DOCS_PATH}`);
    });
  }
  await app.init();
  registerMethodNotAllowedFirst(beforeRoutes, express);
  app.getHttpServer().on('clientError', respondToClientError);
  return app;
}

/** Sends the error envelope for requests that do not reach Nest or not even the middleware. */
function respondToUnhandled(error: unknown, request: Request, response: Response): void {
  if (requestIdOf(request) === '') assignRequestId(request, response, () => undefined);
  new ErrorFilter().respond(error ?? new NotFoundException(), request, response);
}
