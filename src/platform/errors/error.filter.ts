import {
  Catch,
  HttpException,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/request-id.js';
import { LogEntry } from '../logging/log-entry.js';
import { isOwnerViolation, isTemporaryFailure } from './database-failure.js';
import { DomainError, invalidToken } from './domain-error.js';
import { toErrorBody, type ErrorBody } from './error-body.js';
import type { ServiceUnavailableDetails } from './error-details.js';
import { STATUS_OF_CODE } from './error-code.js';

/** `Retry-After` of a temporary failure, and while a request with the same idempotency key is running. */
const RETRY_AFTER_SECONDS = 1;

interface ErrorResponse {
  status: number;
  body: ErrorBody;
}

/** Converts every thrown value to a response with the error envelope. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Sends the response to an error; closes the connection when a response has already started. */
  respond(thrown: unknown, request: Request, response: Response): void {
    const { status, body } = this.toResponse(thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code } = body.error;
    if (status === 401 && code === 'INVALID_TOKEN') {
      response.setHeader('WWW-Authenticate', 'Bearer');
    }
    if (status === STATUS_OF_CODE.SERVICE_UNAVAILABLE || code === 'IDEMPOTENCY_KEY_IN_USE') {
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    }
    response.status(status).json(body);
  }

  private toResponse(thrown: unknown, request: Request): ErrorResponse {
    // The user was deleted in the database after the token was checked.
    if (isOwnerViolation(thrown)) return this.toResponse(invalidToken(), request);
    if (thrown instanceof DomainError) {
      const { code, message, details } = thrown as DomainError;
      return {
        status: STATUS_OF_CODE[code],
        body: { success: false, error: { code, message, details: { ...details } } },
      };
    }
    if (thrown instanceof NotFoundException) {
      return {
        status: 404,
        body: toErrorBody('RESOURCE_NOT_FOUND', 'Route not found', { resource: 'route' }),
      };
    }
    const status = clientErrorStatus(thrown);
    if (status !== undefined) {
      return { status, body: toErrorBody('VALIDATION_ERROR', requestErrorMessage(status)) };
    }
    if (thrown instanceof ServiceUnavailableException) {
      return {
        status: STATUS_OF_CODE.SERVICE_UNAVAILABLE,
        body: toErrorBody(
          'SERVICE_UNAVAILABLE',
          'The service is temporarily unavailable',
          failedComponents(thrown),
        ),
      };
    }
    const requestId = requestIdOf(request);
    if (isTemporaryFailure(thrown)) {
      this.logger.warn(new LogEntry({ request_id: requestId }, messageOf(thrown)));
      return {
        status: STATUS_OF_CODE.SERVICE_UNAVAILABLE,
        body: toErrorBody(
          'SERVICE_UNAVAILABLE',
          'The service is temporarily unavailable; try again',
          {
            request_id: requestId,
          },
        ),
      };
    }
    this.logger.error(new LogEntry({ request_id: requestId }, stackOf(thrown)));
    return {
      status: 500,
      body: toErrorBody('INTERNAL_SERVER_ERROR', 'Internal server error', {
        request_id: requestId,
      }),
    };
  }
}

/** The 4xx status of an error that Nest, Express or a body parser raised for the request. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    return status < 500 ? status : undefined;
  }
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

/** The failed components of a health check. */
function failedComponents(thrown: ServiceUnavailableException): ServiceUnavailableDetails {
  const { error } = thrown.getResponse() as { error?: ServiceUnavailableDetails };
  return typeof error === 'object' ? error : {};
}

function requestErrorMessage(status: number): string {
  switch (status) {
    case 405:
      return 'Method not allowed; the Allow header lists the allowed methods';
    case 413:
      return 'Request body too large';
    case 415:
      return 'Send the body in UTF-8, as application/json or else the documented content type';
    default:
      return 'Malformed request: its JSON or its URL cannot be parsed';
  }
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
