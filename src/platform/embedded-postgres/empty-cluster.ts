import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { projectFile, readProjectJson } from '../config/project-files.js';
import { OperatorError } from '../errors/domain-error.js';
import { restrictToOwner } from './data-folder.js';
import { syncPath } from './sync-path.js';

/**
 * The archive of an empty cluster that the build creates (scripts/create-empty-cluster.js). Creating a cluster takes
 * several times the memory of running one.
 *
 * @throws OperatorError when it does not exist
 */
export function emptyClusterArchive(): string {
  const { dependencies } = readProjectJson('package.json') as {
    dependencies: { '@electric-sql/pglite': string };
  };
  const version = dependencies['@electric-sql/pglite'];
  const archive = projectFile('empty-cluster', `pglite-${version}.tar.gz`);
  if (!existsSync(archive)) throw new OperatorError(`${archive} is missing; run npm run build`);
  return archive;
}

/** Creates a folder with an empty cluster, accessible to its owner only and written to the disk. */
export async function createEmptyCluster(folder: string): Promise<void> {
  const file = emptyClusterArchive();
  mkdirSync(folder);
  await extract({ file, cwd: folder, strict: true });
  restrictToOwner(folder);
  for (const path of ['.', ...readdirSync(folder, { encoding: 'utf8', recursive: true })]) {
    syncPath(join(folder, path));
  }
}
