import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { createGunzip, createInflate } from 'node:zlib';
import { GrowingBuffer } from '#http-host';
import { holdFor, tooMuchMemory } from './held-memory.js';
import { DisconnectedError } from './request-end.js';

/** Without Brotli, whose decoder in some versions of Node.js executes code of a hostile body. */
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
]);

interface BodyLimits {
  /** After decompression. */
  maxBytes: number;
  isCompressible: boolean;
  /** To receive the whole body. */
  timeoutMs: number;
}

/**
 * Reads the body of a request. An error is reported at once; what the client still sends is not
 * kept.
 *
 * @throws HttpException 400, 408, 413 or 415; DomainError SERVICE_UNAVAILABLE when it does not fit
 *   into the memory for its client
 */
export async function readBody(
  request: Request,
  response: Response,
  { maxBytes, isCompressible, timeoutMs }: BodyLimits,
): Promise<Buffer> {
  if (!request.readable) throw new DisconnectedError();
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const decoder = isCompressible ? DECODERS.get(coding)?.() : undefined;
  if (!decoder && coding !== 'identity') {
    // What would have been taken (RFC 9110, 15.5.16).
    if (isCompressible) response.setHeader('Accept-Encoding', [...DECODERS.keys()].join(', '));
    throw new UnsupportedMediaTypeException();
  }
  if (!decoder && Number(request.headers['content-length']) > maxBytes) {
    throw new PayloadTooLargeException();
  }
  const source = decoder ? request.pipe(decoder) : request;
  const buffer = new GrowingBuffer();
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      clearTimeout(timer);
      source.off('data', add);
      source.off('end', end);
      request.off('close', disconnect);
      if (decoder) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      if (error) {
        holding.release();
        reject(error);
      } else {
        isComplete = true;
        resolve(buffer.bytes());
      }
    };
    const add = (chunk: Buffer): void => {
      try {
        if (buffer.length + chunk.length > maxBytes) throw new PayloadTooLargeException();
        if (!holding.resize(buffer.length + chunk.length)) throw tooMuchMemory();
        buffer.append(chunk);
      } catch (error) {
        end(error as Error);
      }
    };
    const expire = (): void => end(new RequestTimeoutException());
    const disconnect = (): void => {
      if (!request.complete) end(new DisconnectedError());
    };
    let isComplete = false;
    const holding = holdFor(response, () => {
      if (!isComplete) expire();
    });
    const timer = setTimeout(expire, timeoutMs);
    source.on('data', add);
    source.on('end', end);
    decoder?.on('error', () => end(new BadRequestException()));
    request.on('close', disconnect);
  });
}
