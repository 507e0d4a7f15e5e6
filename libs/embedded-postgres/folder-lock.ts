import { tryLock } from 'fs-native-extensions';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from './data-folder.js';
import { EmbeddedPostgresError } from './errors.js';

const LOCK_FILE = 'lock';

export class FolderInUseError extends EmbeddedPostgresError {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process; stop that one first`);
  }
}

/**
 * Locks a data folder for this process, because two engines on one folder would lose committed
 * data.
 *
 * The lock is on a file in the folder, so that processes in other containers see it, and the kernel
 * releases it when the process ends for any reason. The file stays: if it were removed, two
 * processes could lock files of one name.
 *
 * @returns a function that releases the lock
 * @throws FolderInUseError; DataFolderError when the lock file cannot be opened
 */
export function lockFolder(folder: string): () => void {
  const descriptor = openLockFile(folder);
  if (tryLock(descriptor)) return () => closeSync(descriptor);
  closeSync(descriptor);
  throw new FolderInUseError(folder);
}

function openLockFile(folder: string): number {
  try {
    return openSync(join(folder, LOCK_FILE), 'a+', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DataFolderError(folder, `its file ${LOCK_FILE} cannot be opened (${String(code)})`);
  }
}
