import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { requestIdOf } from '../common/http/request-id.js';
import { LogEntry } from '../common/log-entry.js';
import type { Metrics } from './metrics.js';
import { traceOf } from './trace-context.js';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** For a request that no route took; its path could be anything, and anyone's secret. */
const NO_ROUTE = '-';

/**
 * Measures every request and writes one line about it: no body, no query, no header but the trace, so
 * that no password, token or e-mail can get into the log.
 */
export function observeRequests(metrics: Metrics, logger: LoggerService): Middleware {
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - start;
      const { method } = request;
      const route = routeOf(request);
      const status = response.statusCode;
      metrics.requests.observe({ method, route, status }, milliseconds / 1000);
      const duration = Math.round(milliseconds * 10) / 10;
      const { trace_id, parent_span_id } = traceOf(request.headers.traceparent);
      logger.log(
        new LogEntry(
          {
            request_id: requestIdOf(request),
            user_id: userIdOf(request),
            method,
            route,
            status,
            duration_ms: duration,
            trace_id,
            parent_span_id,
            aborted: response.writableFinished ? undefined : true,
          },
          'request',
        ),
        'Request',
      );
    });
    next();
  };
}

/** The template, as `/api/v1/cycles/:id`: few values, and none of them personal. */
function routeOf({ route }: Request): string {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : NO_ROUTE;
}

const userIdOf = ({ user }: Request): string | undefined =>
  (user as { id: string } | undefined)?.id;
