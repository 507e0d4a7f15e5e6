// @ts-check
/**
 * Compiles the service if its sources have changed. Each version of the sources has a separate folder in `builds`,
 * and `dist` is a link to the latest one, so that a build never changes the files of a running service, which may
 * load more of them later, such as the file of a replaced worker thread.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

const BUILDS = 'builds';
const LINK = 'dist';
const COMPILER = 'node_modules/typescript/bin/tsc';

/** Folder in a build with a file per process that uses it, named after its id (src/platform/process/build-usage.ts). */
const PROCESSES = 'processes';

const sources = [
  'ormconfig.ts',
  ...readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.spec.ts'))
    .map((file) => join('src', file))
    .sort(),
];
const inputs = [...sources, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const outputs = sources
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => file.replace(/\.ts$/, '.js'));

/** @returns {string} */
function buildName() {
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} folder */
const isComplete = (folder) => outputs.every((file) => existsSync(join(folder, file)));

/**
 * Compiles to a temporary folder and renames it, so that concurrent calls do not see incomplete builds.
 *
 * @param {string} folder
 */
function compile(folder) {
  console.error('Building ...');
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  const { status } = spawnSync(
    process.execPath,
    [COMPILER, '-p', 'tsconfig.build.json', '--outDir', draft],
    { stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  if (!isComplete(draft)) throw new Error('The compiler did not write all files');
  mkdirSync(join(draft, PROCESSES));
  // The service may run as another user than the build. Like in /tmp, users can remove only their own files.
  chmodSync(join(draft, PROCESSES), 0o1777);
  if (!isComplete(folder)) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // A concurrent call has created the build.
    rmSync(draft, { recursive: true });
    if (!isComplete(folder)) throw error;
  }
}

/** @returns {string | undefined} the target of the link */
function linkedBuild() {
  return existsSync(LINK) ? realpathSync(LINK) : undefined;
}

/** @param {string} folder */
function link(folder) {
  const draft = `${LINK}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  // On Windows a junction needs no privilege; other systems ignore the type.
  symlinkSync(folder, draft, 'junction');
  try {
    renameSync(draft, LINK);
  } catch {
    // `dist` is a folder written by the compiler, or the system is Windows, which cannot replace a link.
    rmSync(LINK, { recursive: true, force: true });
    renameSync(draft, LINK);
  }
}

/**
 * Removes unused builds except the current and the previous one, because a process that was just started through
 * the link has not registered its build yet.
 *
 * @param {string | undefined} previous
 */
function removeUnused(previous) {
  for (const name of readdirSync(BUILDS)) {
    const folder = join(BUILDS, name);
    const removed = `${folder}.${process.pid}`;
    try {
      if ([linkedBuild(), previous].includes(realpathSync(folder)) || isUsed(folder)) continue;
      // Renamed first, so that a concurrent call does not use a partly removed build.
      renameSync(folder, removed);
      rmSync(removed, { recursive: true });
    } catch {
      // Another call has removed it, or it belongs to another user.
    }
  }
}

/** @param {string} folder */
function isUsed(folder) {
  // A temporary or removed folder of the process with this id.
  const [, owner] = /\.(\d+)$/.exec(folder) ?? [];
  const ids = owner === undefined ? readdirSync(join(folder, PROCESSES)) : [owner];
  return ids.some((id) => isRunning(Number(id)));
}

/** @param {number} id of a process */
function isRunning(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

const folder = join(BUILDS, buildName());
mkdirSync(BUILDS, { recursive: true });
// Repeated if a concurrent call has removed the build because no process used it yet.
do {
  if (!isComplete(folder)) compile(folder);
  const previous = linkedBuild();
  if (previous !== realpathSync(folder)) {
    link(folder);
    removeUnused(previous);
  }
} while (!isComplete(folder));
