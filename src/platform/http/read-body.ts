import { BadRequestException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import readAll from 'raw-body';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

interface BodyLimits {
  /** After decompression. */
  maxBytes: number;
  isCompressible: boolean;
}

/**
 * Reads the body of a request. Unlike the parsers of Express, which read with the same package, it reports an error at
 * once and not when the client has sent the rest.
 *
 * @throws HttpException or an error with `status`: 400, 413 or 415
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, isCompressible }: BodyLimits,
): Promise<Buffer> {
  // The client has disconnected.
  if (!request.readable) throw new BadRequestException();
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding === 'identity') {
    return readAll(request, { limit: maxBytes, length: request.headers['content-length'] });
  }
  const decoder = isCompressible && DECODERS.get(coding)?.();
  if (!decoder) throw new UnsupportedMediaTypeException();
  // The end of the connection ends the decoder, too. A pipeline would close the connection before the response is sent.
  request.on('error', (error) => decoder.destroy(error));
  decoder.on('error', () => undefined);
  try {
    return await readAll(request.pipe(decoder), { limit: maxBytes });
  } catch (error) {
    throw isTooLarge(error) ? error : new BadRequestException();
  } finally {
    request.unpipe(decoder);
    decoder.destroy();
  }
}

const isTooLarge = (error: unknown): boolean => (error as { status?: number }).status === 413;
