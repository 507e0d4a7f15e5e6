/**
 * Registers this process as a user of its build, because it may load more files of it later: scripts/build.js
 * removes unused builds. A container image has a single build and no folder for this.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const PROCESSES = new URL('../../../processes/', import.meta.url);

if (existsSync(PROCESSES)) {
  const marker = new URL(String(process.pid), PROCESSES);
  try {
    // Replaces the file instead of following a symbolic link that another user may have created.
    rmSync(marker, { force: true });
    writeFileSync(marker, '', { flag: 'wx' });
    process.once('exit', () => rmSync(marker, { force: true }));
  } catch {
    // On a read-only file system no build can be removed either.
  }
}
