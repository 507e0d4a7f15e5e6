import {
  applyDecorators,
  UnsupportedMediaTypeException,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { parse } from 'node:querystring';
import { finalize, from, switchMap, type Observable } from 'rxjs';
import { BODY_TIMEOUT_MS, freeBuffer, SERVER_LIMITS } from '#http-host';
import { ValidationFailedError } from '../errors/domain-error.js';
import { MAX_JSON_BYTES } from './body-limits.js';
import { CONTENT_CODINGS } from './decompress.js';
import { decodeUtf8, parseJson } from './json-text.js';
import { readBody } from './read-body.js';
import { checkAgain } from './repeated-check.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

interface BodyFormat {
  type: string;
  maxBytes: number;
  /** Values of `Content-Encoding` that the route takes. */
  codings: readonly string[];
  /** How long the whole body may take, else 408. */
  timeoutMs: number;
  /** The value for the handler. */
  parse: (bytes: Buffer) => unknown;
  /** The error for a body of another type. */
  wrongType: () => Error;
}

const DEFAULTS = {
  codings: [],
  timeoutMs: BODY_TIMEOUT_MS,
  wrongType: () => new UnsupportedMediaTypeException(),
};

/**
 * Reads the body of a route. Interceptors run after the guards, so that the body of a refused
 * request is not read.
 */
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly format: BodyFormat) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { type, wrongType } = this.format;
    const matchingType = request.is(type);
    if (matchingType === null || (!matchingType && request.get('Content-Length') === '0')) {
      return next.handle();
    }
    if (!matchingType) throw wrongType();
    if (!isUtf8(request)) throw new UnsupportedMediaTypeException();
    return from(this.read(request, http.getResponse())).pipe(
      switchMap(() => next.handle()),
      finalize(() => {
        if (Buffer.isBuffer(request.body)) freeBuffer(request.body);
      }),
    );
  }

  private async read(request: Request, response: Response): Promise<void> {
    const bytes = await readBody(request, response, this.format);
    await checkAgain(request);
    request.body = this.format.parse(bytes);
  }
}

const reads = (format: Omit<BodyFormat, keyof typeof DEFAULTS> & Partial<BodyFormat>) =>
  UseInterceptors(new BodyInterceptor({ ...DEFAULTS, ...format }));

/** The route reads JSON, or takes no body (`@NoBody()`) and refuses one. */
export const JsonBody = ({ maxBytes = MAX_JSON_BYTES } = {}): MethodDecorator =>
  reads({ type: JSON_TYPE, maxBytes, parse: (bytes) => parseJson(bytes) });

/** The route reads a URL-encoded form, which requires these fields. */
export const FormBody = (maxBytes: number, ...fields: string[]): MethodDecorator =>
  applyDecorators(
    reads({
      type: FORM_TYPE,
      maxBytes,
      parse: (bytes) => ({ ...parse(decodeUtf8(bytes), '&', '=', { maxKeys: 0 }) }),
      wrongType: () => {
        const message = `body must be a form (${FORM_TYPE}) with the fields ${fields.join(' and ')}`;
        return new ValidationFailedError({ body: [{ reason: 'malformed', message }] });
      },
    }),
    ApiConsumes(FORM_TYPE),
  );

/** The route reads a CSV file as text. */
export const CsvBody = (
  maxBytes: number,
  { description, example }: { description: string; example: string },
): MethodDecorator =>
  applyDecorators(
    reads({ type: CSV_TYPE, maxBytes, parse: decodeUtf8 }),
    ApiConsumes(CSV_TYPE),
    ApiBody({ description, schema: { type: 'string', example } }),
  );

/**
 * The route reads a JSON document as bytes, which may still be compressed, and take as long as the
 * whole request.
 */
export const DocumentBody = (maxBytes: number): MethodDecorator =>
  reads({
    type: JSON_TYPE,
    maxBytes,
    codings: CONTENT_CODINGS,
    timeoutMs: SERVER_LIMITS.requestTimeout,
    parse: (bytes) => bytes,
  });

function isUtf8(request: Request): boolean {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([^\s;"]+)/i.exec(request.get('Content-Type') ?? '') ?? [];
  return /^utf-?8$/i.test(charset);
}
