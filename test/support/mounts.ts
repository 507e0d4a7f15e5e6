import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounts a file system in memory at a folder. @param size in bytes */
export function mountMemory(folder: string, size: number): void {
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder];
  execFileSync('mount', options, { stdio: 'pipe' });
}

/** Root may mount, except in most containers. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-test-'));
  try {
    mountMemory(folder, 1024 * 1024);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
