import { NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { json, urlencoded, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { ErrorFilter } from './common/errors/error.filter.js';
import { answerClientError } from './common/http/client-error.js';
import { forbidCaching } from './common/http/no-store.js';
import { requireUtf8 } from './common/http/require-utf8.js';
import { assignRequestId } from './common/http/request-id.js';
import { ShapedExpressAdapter } from './common/http/shaped-express-adapter.js';
import type { Settings } from './config/settings.js';
import { setUpDocs } from './docs/openapi.js';
import { Metrics } from './observability/metrics.js';
import { observeRequests } from './observability/request-log.js';
import { createLogger } from './observability/service-logger.js';
import { Lifecycle } from './system/lifecycle.js';

export const API_PREFIX = 'api/v1';

/** What scripts of other origins may read, beside the body. */
const EXPOSED_HEADERS = ['Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

const BODY_LIMIT = '100kb';

/** The whole service, ready to listen: what production, the demo and the tests run. */
export async function createApplication(settings: Settings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(settings),
    new ShapedExpressAdapter(),
    {
      bodyParser: false,
      logger: createLogger(settings.logFormat, settings.logLevel),
      abortOnError: false,
    },
  );
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  // Nothing may be kept by a cache, so nothing needs a tag to be asked again by.
  app.disable('etag');
  app.setGlobalPrefix(API_PREFIX, { exclude: ['health/live', 'health/ready'] });
  app.enableCors({ origin: [...settings.corsOrigins], exposedHeaders: EXPOSED_HEADERS });
  app.use(assignRequestId);
  app.use(observeRequests(app.get(Metrics)));
  app.use(app.get(Lifecycle, { strict: false }).releaseConnections);
  // Its upgrade of http addresses would break Swagger UI where there is no TLS.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(`/${API_PREFIX}`, forbidCaching);
  // Any JSON value is read, so that one that is no object is told so, and not that it is no JSON.
  app.use(json({ limit: BODY_LIMIT, strict: false, verify: requireUtf8 }));
  app.use(urlencoded({ limit: BODY_LIMIT, extended: false, verify: requireUtf8 }));
  setUpDocs(app);
  await app.init();
  answerTheRest(app);
  return app;
}

/** The error envelope also for what never reaches Nest: outside the prefix, or no HTTP at all. */
function answerTheRest(app: NestExpressApplication): void {
  const errors = new ErrorFilter();
  app.use((request: Request, response: Response) => {
    errors.answer(new NotFoundException(), request, response);
  });
  // Express knows a handler of errors by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    errors.answer(error, request, response);
  });
  app.getHttpServer().on('clientError', answerClientError);
}
