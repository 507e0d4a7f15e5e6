import { randomUUID } from 'node:crypto';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SERVICE_NAME } from '../config/project-files.js';
import { OperatorError } from '../errors/domain-error.js';

/** The folder has no space left, or the user's share of it is used up. */
export class FullFolderError extends Error {}

const FULL = ['ENOSPC', 'EDQUOT'];

const newPath = (): string => join(tmpdir(), `${SERVICE_NAME}-${randomUUID()}`);

/**
 * Creates and removes a file. A full folder is accepted: there may be space when a file is needed.
 *
 * @throws OperatorError when the folder is missing or cannot be written
 */
export async function assertTemporaryFiles(): Promise<void> {
  const path = newPath();
  try {
    await (await open(path, 'wx+', 0o600)).close();
    await rm(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!FULL.includes(code)) throw new OperatorError(`TMPDIR: no temporary files: ${message}`);
  }
}

/** A file without a name, which disappears when it is closed, also by the end of the process. */
export class TemporaryFile {
  private constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /**
   * Writes the chunks to a new file.
   *
   * @throws FullFolderError; what `chunks` throws
   */
  static async from(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
  ): Promise<TemporaryFile> {
    const path = newPath();
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'wx+', 0o600);
      await rm(path);
      await writeFile(handle, chunks);
      return new TemporaryFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle?.close();
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw FULL.includes(code) ? new FullFolderError(`TMPDIR ${tmpdir()}: ${message}`) : error;
    }
  }

  /**
   * All bytes from the beginning; the file is closed when they are read or the stream is destroyed.
   */
  readOnce(): Readable {
    return this.handle.createReadStream({ start: 0 });
  }
}
