// @ts-check
/**
 * Loaded with NODE_OPTIONS=--import, this simulates a full disk for the embedded engine while the
 * file in FULL_DISK exists: with the content `grow` it refuses writes that make a file longer, as
 * most file systems do; with `write` it refuses all writes, as copy-on-write file systems do.
 */
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { writeSync } = fs;
const marker = process.env.FULL_DISK ?? '';

/** @param {number} fd @param {number} end the position after the last byte of the write */
function isRefused(fd, end) {
  let refused;
  try {
    refused = fs.readFileSync(marker, 'utf8');
  } catch {
    return false;
  }
  return refused === 'write' || end > fs.fstatSync(fd).size;
}

/**
 * Replaces `fs.writeSync`, with the arguments that the engine passes.
 *
 * @param {number} fd
 * @param {NodeJS.ArrayBufferView} bytes
 * @param {number} offset
 * @param {number} length
 * @param {number} position
 */
function writeUnlessFull(fd, bytes, offset, length, position) {
  if (isRefused(fd, position + length)) {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  return writeSync(fd, bytes, offset, length, position);
}

// The engine runs in a worker thread; the main thread writes the log, which must not fail.
if (!isMainThread) Object.assign(fs, { writeSync: writeUnlessFull });
