import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, from, switchMap, type Observable } from 'rxjs';
import { DomainError } from '../platform/errors/domain-error.js';
import { DocumentBody } from '../platform/http/body.interceptor.js';
import { decompress } from '../platform/http/decompress.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { DataImportService, type PreparedImport } from './data-import.service.js';

/** The size of a document, before and after decompression. */
const MAX_IMPORT_BYTES = 10_000_000;

/** When a client may try again while another import is running. */
const RETRY_AFTER_SECONDS = 5;

interface ImportRequest extends Request {
  body: Buffer | undefined;
  user: AuthenticatedUser;
  document: PreparedImport;
}

/**
 * Checks and prepares the document of an import before its transaction begins, so that a wrong one
 * costs the database nothing. One import runs at a time, since each one holds its document in
 * memory.
 */
@Injectable()
class ImportDocumentInterceptor implements NestInterceptor {
  private isRunning = false;

  constructor(private readonly imports: DataImportService) {}

  /**
   * @throws DomainError SERVICE_UNAVAILABLE while another import is running; HttpException 400 or
   *   413; what `prepare` of the service throws
   */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.isRunning) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Another import is running; try again later', {
        retry_after: RETRY_AFTER_SECONDS,
      });
    }
    this.isRunning = true;
    const http = context.switchToHttp();
    return from(this.prepare(http.getRequest(), http.getResponse())).pipe(
      switchMap(() => next.handle()),
      finalize(() => (this.isRunning = false)),
    );
  }

  private async prepare(request: ImportRequest, response: Response): Promise<void> {
    const { body = Buffer.alloc(0), user } = request;
    request.body = await decompress(request, response, body, MAX_IMPORT_BYTES);
    request.document = await this.imports.prepare(user, request.body);
  }
}

/** The route reads and checks the document of an import. */
export const ImportBody = (): MethodDecorator =>
  applyDecorators(DocumentBody(MAX_IMPORT_BYTES), UseInterceptors(ImportDocumentInterceptor));

/** The checked document of a route with `@ImportBody()`. */
export const ImportDocument = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<ImportRequest>().document,
);
