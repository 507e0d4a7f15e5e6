// @ts-check
/**
 * Loaded before everything else (NODE_OPTIONS=--import), this lets the disk of the embedded engine be full
 * while the file that FULL_DISK names exists: `grow` in it refuses writes that make a file longer, as
 * most file systems do, `write` refuses all of them, as those do that copy what is overwritten.
 */
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { writeSync } = fs;
const sign = process.env.FULL_DISK ?? '';

/** @param {number} fd @param {number} end of what is written */
function isRefused(fd, end) {
  if (!fs.existsSync(sign)) return false;
  return fs.readFileSync(sign, 'utf8') === 'write' || end > fs.fstatSync(fd).size;
}

/**
 * As the engine calls it.
 *
 * @param {number} fd
 * @param {NodeJS.ArrayBufferView} bytes
 * @param {number} offset
 * @param {number} length
 * @param {number} position
 */
function writeWhereThereIsRoom(fd, bytes, offset, length, position) {
  if (isRefused(fd, position + length)) {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  return writeSync(fd, bytes, offset, length, position);
}

// The engine's thread; the main one writes the log.
if (!isMainThread) Object.assign(fs, { writeSync: writeWhereThereIsRoom });
