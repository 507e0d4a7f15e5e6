import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder, accessible to its owner only, and those above it, if they do not exist. The
 * option `recursive` of `mkdirSync` never returns where an existing folder takes no other, as in
 * `/proc` (https://github.com/nodejs/node/issues/31481).
 *
 * @throws Error of the file system
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: PRIVATE_FOLDER });
}
