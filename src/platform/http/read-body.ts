import {
  PayloadTooLargeException,
  RequestTimeoutException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { GrowingBuffer } from '#http-host';
import { contentCodingOf } from './decompress.js';
import { holdFor, tooMuchMemory } from './held-memory.js';
import { DisconnectedError } from './request-end.js';

interface BodyLimits {
  maxBytes: number;
  /** Values of `Content-Encoding` that the route takes. */
  codings: readonly string[];
  /** How long the whole body may take. */
  timeoutMs: number;
}

/**
 * Reads the body of a request, as it was sent. An error is reported at once; what the client still
 * sends is not kept.
 *
 * @throws HttpException 408, 413 or 415; DomainError SERVICE_UNAVAILABLE when it does not fit into
 *   the memory for its client
 */
export async function readBody(
  request: Request,
  response: Response,
  { maxBytes, codings, timeoutMs }: BodyLimits,
): Promise<Buffer> {
  if (!request.readable) throw new DisconnectedError();
  if (!['identity', ...codings].includes(contentCodingOf(request))) {
    // What would be taken (RFC 9110, 15.5.16).
    if (codings.length > 0) response.setHeader('Accept-Encoding', codings.join(', '));
    throw new UnsupportedMediaTypeException();
  }
  if (Number(request.headers['content-length']) > maxBytes) throw new PayloadTooLargeException();
  const buffer = new GrowingBuffer();
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      clearTimeout(timer);
      request.off('data', add);
      request.off('end', end);
      request.off('close', disconnect);
      isFinished = true;
      if (error) {
        holding.release();
        buffer.free();
        reject(error);
      } else {
        resolve(buffer.bytes());
      }
    };
    const add = (chunk: Buffer): void => {
      const length = buffer.length + chunk.length;
      if (length > maxBytes) end(new PayloadTooLargeException());
      else if (!holding.resize(length)) end(tooMuchMemory());
      else buffer.append(chunk);
    };
    const expire = (): void => end(new RequestTimeoutException());
    const disconnect = (): void => {
      if (!request.complete) end(new DisconnectedError());
    };
    let isFinished = false;
    const holding = holdFor(response, () => {
      if (!isFinished) expire();
    });
    const timer = setTimeout(expire, timeoutMs);
    request.on('data', add);
    request.on('end', end);
    request.on('close', disconnect);
  });
}
