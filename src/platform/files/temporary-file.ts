import { randomUUID } from 'node:crypto';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SERVICE_NAME } from '../config/project-files.js';

/** A file without a name, which disappears when it is closed, also by the end of the process. */
export class TemporaryFile {
  private constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /**
   * Writes the chunks to a new file.
   *
   * @throws what `chunks` throws
   */
  static async from(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
  ): Promise<TemporaryFile> {
    const path = join(tmpdir(), `${SERVICE_NAME}-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      await writeFile(handle, chunks);
      return new TemporaryFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * All bytes from the beginning; the file is closed when they are read or the stream is destroyed.
   */
  readOnce(): Readable {
    return this.handle.createReadStream({ start: 0 });
  }
}
