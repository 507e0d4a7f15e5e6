// @ts-check
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The address of the local socket that locks a data folder: an abstract socket on Linux, a named pipe on Windows,
 * a socket file elsewhere. Plain JavaScript, because scripts/preflight.js imports it before the build.
 *
 * @param {string} folder an existing folder
 * @returns {string}
 */
export function folderSocketAddress(folder) {
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const name = `expense-service-${digest}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}
