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
import { LogEntry } from '../log-entry.js';
import { isOwnerMissing, isTemporaryFailure } from './database-failure.js';
import { DomainError, type ErrorDetails } from './domain-error.js';
import { errorBody, type ErrorBody } from './error-body.js';
import { STATUS_OF_CODE } from './error-code.js';
import { invalidToken } from './invalid-token.js';

/** After which a failure that passes may have passed. */
const RETRY_AFTER_SECONDS = 1;

interface Answer {
  status: number;
  body: ErrorBody;
}

/** Turns whatever was thrown into the error envelope: the one way out for every failure. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  answer(thrown: unknown, request: Request, response: Response): void {
    const { status, body } = this.answerTo(thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status === 401 && body.error.code === 'INVALID_TOKEN') {
      response.setHeader('WWW-Authenticate', 'Bearer');
    }
    if (status === STATUS_OF_CODE.SERVICE_UNAVAILABLE) {
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    }
    response.status(status).json(body);
  }

  private answerTo(thrown: unknown, request: Request): Answer {
    // The account was removed by hand after its token was checked.
    if (isOwnerMissing(thrown)) return this.answerTo(invalidToken(), request);
    if (thrown instanceof DomainError) {
      return {
        status: STATUS_OF_CODE[thrown.code],
        body: errorBody(thrown.code, thrown.message, thrown.details),
      };
    }
    if (thrown instanceof NotFoundException) {
      return {
        status: 404,
        body: errorBody('RESOURCE_NOT_FOUND', 'No such route', { resource: 'route' }),
      };
    }
    const status = clientErrorStatus(thrown);
    if (status !== undefined) {
      return { status, body: errorBody('VALIDATION_ERROR', requestProblem(status)) };
    }
    if (thrown instanceof ServiceUnavailableException) {
      return {
        status: STATUS_OF_CODE.SERVICE_UNAVAILABLE,
        body: errorBody(
          'SERVICE_UNAVAILABLE',
          'The service cannot answer now',
          failingParts(thrown),
        ),
      };
    }
    const requestId = requestIdOf(request);
    if (isTemporaryFailure(thrown)) {
      this.logger.warn(new LogEntry({ request_id: requestId }, messageOf(thrown)));
      return {
        status: STATUS_OF_CODE.SERVICE_UNAVAILABLE,
        body: errorBody('SERVICE_UNAVAILABLE', 'The service cannot answer now; try again', {
          request_id: requestId,
        }),
      };
    }
    this.logger.error(new LogEntry({ request_id: requestId }, describe(thrown)));
    return {
      status: 500,
      body: errorBody('INTERNAL_SERVER_ERROR', 'Something went wrong on our side', {
        request_id: requestId,
      }),
    };
  }
}

/** The 4xx of an error that Nest, Express or a body parser raised about the request itself. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    return status < 500 ? status : undefined;
  }
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

/** What a health check found wrong, part by part. */
function failingParts(thrown: ServiceUnavailableException): ErrorDetails {
  const { error } = thrown.getResponse() as { error?: ErrorDetails };
  return typeof error === 'object' ? error : {};
}

function requestProblem(status: number): string {
  switch (status) {
    case 413:
      return 'The body is too large';
    case 415:
      return 'Send the body as application/json in UTF-8';
    default:
      return 'The request cannot be read: its JSON or its address is malformed';
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
