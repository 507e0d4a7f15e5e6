// @ts-check
import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Writes a file, or the names in a folder, to the disk. Plain JavaScript, because the worker thread
 * imports it.
 *
 * @param {string} path
 */
export function syncPath(path) {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
