import { StreamableFile } from '@nestjs/common';
import type { TemporaryFile } from '../files/temporary-file.js';

/** A client that reads more slowly does not keep the file on disk for ever. */
const MAX_SENDING_MS = 5 * 60_000;

/** The response with a file, which is closed when it is sent or the client has gone. */
export function fileDownload(
  file: TemporaryFile,
  { type, name }: { type: string; name: string },
): StreamableFile {
  const stream = file.readOnce();
  const timer = setTimeout(() => stream.destroy(), MAX_SENDING_MS).unref();
  stream.once('close', () => clearTimeout(timer));
  return new StreamableFile(stream, {
    type: `${type}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
    length: file.size,
  });
}
