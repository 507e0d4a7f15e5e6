import {
  applyDecorators,
  BadRequestException,
  createParamDecorator,
  Injectable,
  PayloadTooLargeException,
  SetMetadata,
  UnsupportedMediaTypeException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { createHash } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import pLimit from 'p-limit';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ReceivedFile, TemporaryFile } from '../files/temporary-file.js';

const FILE_BODY = Symbol('FILE_BODY');

/** Files that are received and processed at a time; further requests wait. Bounds the size of temporary files. */
const MAX_FILES = 4;

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The route takes a body of up to `maxBytes` after its content coding is removed. It is received into a temporary file
 * after the guards, so that neither memory nor a database connection is held for a slow client. The path must be in
 * `FILE_PATHS` (body-parsers.ts).
 */
export const TakesFile = (maxBytes: number): MethodDecorator =>
  applyDecorators(SetMetadata(FILE_BODY, maxBytes));

/** The received body of a route with {@link TakesFile}. */
export const FileBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ReceivedFile =>
    context.switchToHttp().getRequest<Request>().body as ReceivedFile,
);

/** Receives the bodies of routes with {@link TakesFile}, and removes them after the handler has returned. */
@Injectable()
export class FileBodyInterceptor implements NestInterceptor {
  private readonly limit = pLimit(MAX_FILES);

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const maxBytes = this.reflector.get<number | undefined>(FILE_BODY, context.getHandler());
    if (maxBytes === undefined) return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    return from(this.limit(() => handleFile(request, maxBytes, next)));
  }
}

async function handleFile(request: Request, maxBytes: number, next: CallHandler): Promise<unknown> {
  const hash = createHash('sha256');
  async function* measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw new PayloadTooLargeException();
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = await receive(request, maxBytes, measured);
  try {
    request.body = new ReceivedFile(file, hash.digest('hex'));
    return await lastValueFrom(next.handle());
  } finally {
    await file.close();
  }
}

/** @throws HttpException 400, 413 or 415 when the body cannot be received */
async function receive(
  request: Request,
  maxBytes: number,
  measured: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): Promise<TemporaryFile> {
  const { charset, coding, length } = bodyHeaders(request);
  const decoder = DECODERS.get(coding);
  if (charset !== 'utf-8' || (coding !== 'identity' && !decoder)) {
    throw new UnsupportedMediaTypeException();
  }
  if (coding === 'identity' && length > maxBytes) throw new PayloadTooLargeException();
  try {
    // Destroying the request on an error would close the connection before the response is sent.
    const body = chunksOf(request);
    if (!decoder) return await TemporaryFile.from(measured(body));
    return await receiveDecoded(body, decoder(), measured);
  } catch (error) {
    throw isUnreadable(error) ? new BadRequestException() : error;
  }
}

/** Rejects with the first error of the sender, the decoder or `measured`, without waiting for the rest of the body. */
async function receiveDecoded(
  body: AsyncIterable<Buffer>,
  decoder: Duplex,
  measured: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): Promise<TemporaryFile> {
  // The pipeline rejects with it. Without a listener, an error before the first read would end the process.
  decoder.on('error', () => undefined);
  try {
    const file = TemporaryFile.from(measured(chunksOf(decoder)));
    await Promise.all([file, pipeline(body, decoder)]);
    return await file;
  } finally {
    decoder.destroy();
  }
}

/** The chunks of a stream that stays open when reading them ends early. */
const chunksOf = (stream: Readable): AsyncIterable<Buffer> =>
  stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

function bodyHeaders({ headers }: Request): { charset: string; coding: string; length: number } {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '') ?? [];
  return {
    charset: charset.toLowerCase(),
    coding: headers['content-encoding']?.toLowerCase() ?? 'identity',
    length: Number(headers['content-length'] ?? 0),
  };
}

/** The client has ended the connection, or its content coding is invalid. */
function isUnreadable(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return (
    code === 'ECONNRESET' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    /^(Z_|ERR_.*BROTLI)/.test(code)
  );
}
