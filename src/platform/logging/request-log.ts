import type { LoggerService } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { requestIdOf } from '../http/request-id.js';
import type { Metrics } from '../metrics/metrics.js';
import { LogEntry } from './log-entry.js';
import { traceOf } from './trace-context.js';

/** Logged for a request without a route: its path is arbitrary and may contain personal data. */
const NO_ROUTE = '-';

/**
 * Each label value creates a time series, so that arbitrary methods must not become label values.
 */
const LABELLED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Records the metrics and one log line of every request. The log has no body, no query and no
 * header except the trace context, so that it cannot contain passwords, tokens or e-mails.
 */
export function observeRequests(metrics: Metrics, logger: LoggerService): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - start;
      const { method } = request;
      const route = routeOf(request);
      const status = response.statusCode;
      metrics.requests.observe(
        { method: LABELLED_METHODS.has(method) ? method : 'other', route, status },
        milliseconds / 1000,
      );
      const duration = Math.round(milliseconds * 10) / 10;
      const isAborted = !response.writableFinished;
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
            aborted: isAborted ? true : undefined,
          },
          isAborted ? 'request aborted' : 'request completed',
          // The line has no ids, so that it fits the 120 columns of a terminal.
          `${method} ${route} ${isAborted ? 'aborted' : status} ${duration} ms`,
        ),
        'Request',
      );
    });
    next();
  };
}

/** The route's pattern like `/api/v1/comments/:id`, which has few values and no personal data. */
function routeOf({ route }: Request): string {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : NO_ROUTE;
}

const userIdOf = ({ user }: Request): string | undefined =>
  (user as { id: string } | undefined)?.id;
