import { BadRequestException, PayloadTooLargeException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { freeBuffer } from '#http-host';
import { holdFor, tooMuchMemory } from './held-memory.js';

/** Brotli is missing: its decoder in some versions of Node.js executes code of a hostile body. */
const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

export const CONTENT_CODINGS: readonly string[] = [...DECODERS.keys()];

/** Large enough to be returned to the system at once. */
const CHUNK_BYTES = 1_048_576;

/** The value of `Content-Encoding`, in lower case. */
export const contentCodingOf = ({ headers }: Request): string =>
  headers['content-encoding']?.toLowerCase() ?? 'identity';

/**
 * A body that has been read, without its compression. The whole body is decompressed at once, so
 * that one whose end does not arrive takes no more memory than what was sent.
 *
 * @throws HttpException 400 or 413; DomainError SERVICE_UNAVAILABLE when it does not fit into the
 *   memory for its client
 */
export async function decompress(
  request: Request,
  response: Response,
  bytes: Buffer,
  maxBytes: number,
): Promise<Buffer> {
  const decode = DECODERS.get(contentCodingOf(request));
  if (!decode) return bytes;
  const holding = holdFor(response);
  if (!holding.resize(maxBytes)) throw tooMuchMemory();
  try {
    const decoded = await decode(bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
    holding.resize(decoded.length);
    freeBuffer(bytes);
    return decoded;
  } catch (error) {
    holding.release();
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new PayloadTooLargeException()
      : new BadRequestException();
  }
}
