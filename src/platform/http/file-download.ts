import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { TemporaryFile } from '../files/temporary-file.js';

/** A slow client must not hold the file open indefinitely. */
const MAX_SENDING_MS = 5 * 60_000;

/** The response with a file, which is closed when it is sent or the connection ends. */
export function fileDownload(
  response: Response,
  file: TemporaryFile,
  { type, name }: { type: string; name?: string },
): StreamableFile {
  // Ending the file alone would leave the client waiting for the rest of the response.
  const timer = setTimeout(() => response.destroy(), MAX_SENDING_MS).unref();
  response.once('close', () => clearTimeout(timer));
  return new StreamableFile(file.readOnce(), {
    type: `${type}; charset=utf-8`,
    disposition: name === undefined ? undefined : `attachment; filename="${name}"`,
    length: file.size,
  });
}
