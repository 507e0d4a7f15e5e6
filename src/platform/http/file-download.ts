import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { TemporaryFile } from '../files/temporary-file.js';
import { holdFor, tooMuchMemory } from './held-memory.js';

/** A slow client must not hold the file open indefinitely. */
const MAX_SENDING_MS = 5 * 60_000;

/** What a file takes while it is sent: a part that is read, and one that is not sent yet. */
const BYTES_IN_MEMORY = 131_072;

/**
 * The response with a file, which is closed when it is sent or the connection ends.
 *
 * @throws DomainError SERVICE_UNAVAILABLE, with the file closed
 */
export function fileDownload(
  response: Response,
  file: TemporaryFile,
  {
    type,
    name,
    maxSendingMs = MAX_SENDING_MS,
  }: { type: string; name?: string; maxSendingMs?: number },
): StreamableFile {
  const stream = file.readOnce();
  if (!holdFor(response).resize(BYTES_IN_MEMORY)) {
    stream.destroy();
    throw tooMuchMemory();
  }
  // Ending the file alone would leave the client waiting for the rest of the response.
  const timer = setTimeout(() => response.destroy(), maxSendingMs).unref();
  response.once('close', () => clearTimeout(timer));
  return new StreamableFile(stream, {
    type: `${type}; charset=utf-8`,
    disposition: name === undefined ? undefined : `attachment; filename="${name}"`,
    length: file.size,
  });
}
