// @ts-check
/**
 * Creates the archive of an empty database cluster, once per version of PGlite. The embedded
 * database starts from a copy, because creating a cluster takes more than 1 GB of memory. Writes to
 * stderr, like the other steps.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'empty-cluster';

/** @returns {string} */
function archivePath() {
  /** @type {unknown} */
  const project = JSON.parse(readFileSync('package.json', 'utf8'));
  const { dependencies } = /** @type {{ dependencies: Record<string, string> }} */ (project);
  return join(FOLDER, `pglite-${dependencies['@electric-sql/pglite'] ?? ''}.tar.gz`);
}

/** @param {string} archive */
async function createArchive(archive) {
  console.error('Creating an empty database ...');
  // Imported here, because most calls find the archive.
  const [{ PGlite }, { create }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('tar'),
  ]);
  // Of another version, or of a call that was killed: scripts/prepare.cjs runs one at a time.
  rmSync(FOLDER, { recursive: true, force: true });
  const draft = join(FOLDER, 'draft');
  mkdirSync(draft, { recursive: true });
  const cluster = join(draft, 'cluster');
  const engine = await PGlite.create(cluster);
  // A clean shutdown, so that the copies need no recovery.
  await engine.close();
  const file = join(draft, 'cluster.tar.gz');
  // Without the extended headers, which PGlite's own reader of archives does not know.
  await create(
    { file, cwd: cluster, gzip: true, portable: true, noPax: true },
    readdirSync(cluster),
  );
  // Renamed when it is complete, because other processes may start from it at any time.
  renameSync(file, archive);
  rmSync(draft, { recursive: true });
}

const archive = archivePath();
if (!existsSync(archive)) await createArchive(archive);
