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
import { FullFolderError } from '../files/temporary-file.js';
import { requestIdOf } from '../http/request-id.js';
import { LogEntry } from '../logging/log-entry.js';
import { isTemporaryFailure } from './database-failure.js';
import { AccessTokenError, DomainError, ResourceNotFoundError } from './domain-error.js';
import type { DetailsOf, StatusOfCode } from './error-types.js';

/** `Retry-After` of a temporary failure. */
const RETRY_AFTER_SECONDS = 1;

/** Converts every thrown value to a response with the error envelope. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  /** @param translate the error of the API for one of the database; undefined for other errors */
  constructor(
    private readonly statusOfCode: StatusOfCode,
    private readonly translate: (thrown: unknown) => DomainError | undefined,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Sends the response to an error; closes the connection when a response has already started. */
  respond(thrown: unknown, request: Request, response: Response): void {
    const error = this.toDomainError(thrown, requestIdOf(request));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code, details } = error;
    const status = clientErrorStatus(thrown) ?? this.statusOfCode[code];
    if (error instanceof AccessTokenError) response.setHeader('WWW-Authenticate', 'Bearer');
    if (code === 'SERVICE_UNAVAILABLE') response.setHeader('Retry-After', retryAfter(details));
    response.status(status).json(error.toBody());
  }

  /** The error of the API for a thrown value. Logs failures of the service. */
  private toDomainError(thrown: unknown, requestId: string): DomainError {
    if (thrown instanceof DomainError) return thrown as DomainError;
    const translated = this.translate(thrown);
    if (translated) return translated;
    if (thrown instanceof NotFoundException) return new ResourceNotFoundError('route');
    const status = clientErrorStatus(thrown);
    if (status !== undefined) {
      return new DomainError('VALIDATION_ERROR', requestErrorMessage(status));
    }
    if (thrown instanceof ServiceUnavailableException) {
      const message = 'The service is temporarily unavailable';
      return new DomainError('SERVICE_UNAVAILABLE', message, failedComponents(thrown));
    }
    const details = { request_id: requestId };
    if (isTemporaryFailure(thrown) || thrown instanceof FullFolderError) {
      this.logger.warn(new LogEntry(details, messageOf(thrown)));
      const message = 'The service is temporarily unavailable; try again';
      return new DomainError('SERVICE_UNAVAILABLE', message, details);
    }
    this.logger.error(new LogEntry(details, stackOf(thrown)));
    return new DomainError('INTERNAL_SERVER_ERROR', 'Internal server error', details);
  }
}

/** Seconds after which a client may try again. */
const retryAfter = (details: DomainError['details']): number =>
  ('retry_after' in details ? details.retry_after : undefined) ?? RETRY_AFTER_SECONDS;

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
function failedComponents(thrown: ServiceUnavailableException): DetailsOf<'SERVICE_UNAVAILABLE'> {
  const { error } = thrown.getResponse() as { error?: DetailsOf<'SERVICE_UNAVAILABLE'> };
  return typeof error === 'object' ? error : {};
}

function requestErrorMessage(status: number): string {
  switch (status) {
    case 405:
      return 'Method not allowed; the Allow header lists the allowed methods';
    case 408:
      return 'The request did not arrive in time';
    case 413:
      return 'Request body too large';
    case 415:
      return 'Send the body in UTF-8, as application/json or else the documented content type';
    default:
      return 'Malformed request: its URL, its headers or its JSON cannot be parsed';
  }
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
