import { NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { AppModule } from './app.module.js';
import { ErrorFilter } from './common/errors/error.filter.js';
import { bodyParsers } from './common/http/body-parsers.js';
import { answerClientError } from './common/http/client-error.js';
import { crossOrigin } from './common/http/cross-origin.js';
import { inOneStep } from './common/http/one-step.js';
import { assignRequestId, requestIdOf } from './common/http/request-id.js';
import { requireHost } from './common/http/require-host.js';
import { securityHeaders } from './common/http/security-headers.js';
import { ShapedExpressAdapter } from './common/http/shaped-express-adapter.js';
import type { Settings } from './config/settings.js';
import { DOCS_PATH, setUpDocs } from './docs/openapi.js';
import { Metrics } from './observability/metrics.js';
import { observeRequests } from './observability/request-log.js';
import { createLogger } from './observability/service-logger.js';
import { Lifecycle } from './system/lifecycle.js';

export const API_PREFIX = 'api/v1';

/** The whole service, ready to listen: what production, the demo and the tests run. */
export async function createApplication(settings: Settings): Promise<NestExpressApplication> {
  const logger = createLogger(settings.logFormat, settings.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(settings),
    new ShapedExpressAdapter(answerRest),
    { bodyParser: false, logger, abortOnError: false },
  );
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  // Nothing may be kept by a cache, so nothing needs a tag to be asked again by.
  app.disable('etag');
  app.setGlobalPrefix(API_PREFIX, { exclude: ['health/live', 'health/ready'] });
  app.use(
    inOneStep(
      assignRequestId,
      observeRequests(app.get(Metrics), logger),
      crossOrigin(settings.corsOrigins),
      app.get(Lifecycle, { strict: false }).releaseConnections,
      securityHeaders(`/${DOCS_PATH}`),
      requireHost,
      ...bodyParsers(),
    ),
  );
  setUpDocs(app);
  await app.init();
  app.getHttpServer().on('clientError', answerClientError);
  return app;
}

/** The error envelope also for what never reaches Nest, or not even a middleware. */
function answerRest(error: unknown, request: Request, response: Response): void {
  if (requestIdOf(request) === '') assignRequestId(request, response, () => undefined);
  new ErrorFilter().answer(error ?? new NotFoundException(), request, response);
}
