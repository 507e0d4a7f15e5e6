import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { restrictToOwner } from './data-folder.js';
import { syncPath } from './sync-path.js';

/**
 * Creates a folder with an empty cluster, accessible to its owner only and written to the disk.
 *
 * @param file the archive of an empty cluster, because to create one takes several times the memory
 *   of running one
 */
export async function createEmptyCluster(folder: string, file: string): Promise<void> {
  mkdirSync(folder);
  await extract({ file, cwd: folder, strict: true });
  restrictToOwner(folder);
  for (const path of ['.', ...readdirSync(folder, { encoding: 'utf8', recursive: true })]) {
    syncPath(join(folder, path));
  }
}
