import {
  applyDecorators,
  BadRequestException,
  RequestTimeoutException,
  UnsupportedMediaTypeException,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { parse } from 'node:querystring';
import { from, switchMap, throwError, timeout, type Observable } from 'rxjs';
import { ValidationFailedError } from '../errors/domain-error.js';
import { BODY_TIMEOUT_MS, SERVER_LIMITS } from './connection-limits.js';
import { readBody } from './read-body.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

/** Every valid JSON body fits, even with all its text escaped, which takes up to 12 bytes a character. */
export const MAX_JSON_BYTES = 131_072;

interface BodyFormat {
  type: string;
  /** After decompression. */
  maxBytes: number;
  isCompressible: boolean;
  /** To receive the whole body, else 408. */
  timeoutMs: number;
  /** The value for the handler. */
  parse: (bytes: Buffer) => unknown;
  /** The error for a body of another type. */
  wrongType: () => Error;
}

const DEFAULTS = {
  isCompressible: false,
  timeoutMs: BODY_TIMEOUT_MS,
  wrongType: () => new UnsupportedMediaTypeException(),
};

/** Reads the body of a route. Interceptors run after the guards, so that the body of a refused request is not read. */
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly format: BodyFormat) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const { type, timeoutMs, wrongType } = this.format;
    const matchingType = request.is(type);
    if (matchingType === null || (!matchingType && request.get('Content-Length') === '0')) {
      return next.handle();
    }
    if (!matchingType) throw wrongType();
    if (!isUtf8(request)) throw new UnsupportedMediaTypeException();
    return from(readBody(request, this.format)).pipe(
      timeout({ first: timeoutMs, with: () => throwError(() => new RequestTimeoutException()) }),
      switchMap((bytes) => {
        request.body = this.format.parse(bytes);
        return next.handle();
      }),
    );
  }
}

const reads = (format: Omit<BodyFormat, keyof typeof DEFAULTS> & Partial<BodyFormat>) =>
  UseInterceptors(new BodyInterceptor({ ...DEFAULTS, ...format }));

/** The route reads JSON, or takes no body (`@NoBody()`) and refuses one. */
export const JsonBody = ({ maxBytes = MAX_JSON_BYTES } = {}): MethodDecorator =>
  reads({ type: JSON_TYPE, maxBytes, parse: parseJson });

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

/** The route reads a JSON document as bytes. It may be compressed, and take as long as the whole request. */
export const DocumentBody = (maxBytes: number): MethodDecorator =>
  reads({
    type: JSON_TYPE,
    maxBytes,
    isCompressible: true,
    timeoutMs: SERVER_LIMITS.requestTimeout,
    parse: (bytes) => bytes,
  });

/** @throws HttpException 400 or 415 */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    throw new BadRequestException();
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Other encodings, declared or not, are refused: decoding them as UTF-8 would store replacement characters. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new UnsupportedMediaTypeException();
  }
}

function isUtf8(request: Request): boolean {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([^\s;"]+)/i.exec(request.get('Content-Type') ?? '') ?? [];
  return charset.toLowerCase() === 'utf-8';
}
