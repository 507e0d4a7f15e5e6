import { existsSync } from 'node:fs';
import { projectFile, readProjectJson } from '../config/project-files.js';
import { OperatorError } from '../errors/domain-error.js';

/**
 * The archive of an empty cluster of the embedded database, which the build creates
 * (scripts/create-empty-cluster.js).
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
