import { UnsupportedMediaTypeException } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';

/**
 * Refuses a body in another encoding, declared or not: decoding it anyway would store replacement
 * characters in place of what was sent.
 */
export function requireUtf8(
  _request: unknown,
  _response: unknown,
  body: Buffer,
  encoding: string | null,
): void {
  if ((encoding !== null && encoding !== 'utf-8') || !isUtf8(body)) {
    throw new UnsupportedMediaTypeException();
  }
}
