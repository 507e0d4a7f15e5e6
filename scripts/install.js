// @ts-check
/**
 * Installs the packages of the lock file unless they are installed. Writes to stderr, because stdout belongs to the
 * command that follows.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LOCK_FILE = 'package-lock.json';
/** npm writes it at the end of every install. */
const INSTALLED = 'node_modules/.package-lock.json';

/** @typedef {{ integrity?: string, optional?: boolean }} Package */

/**
 * @param {string} file
 * @returns {Record<string, Package>} by path; the path of the project itself is empty
 */
function packagesIn(file) {
  /** @type {unknown} */
  const content = JSON.parse(readFileSync(file, 'utf8'));
  return /** @type {{ packages: Record<string, Package> }} */ (content).packages;
}

/** Compares the content: a newer lock file alone must not replace the packages of a running service. */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const installed = packagesIn(INSTALLED);
  return Object.entries(packagesIn(LOCK_FILE)).every(([path, { integrity, optional }]) => {
    const found = installed[path];
    // Optional packages for other platforms are not installed.
    return path === '' || (found ? found.integrity === integrity : optional);
  });
}

if (!isInstalled()) {
  console.error('Installing packages ...');
  const command = 'npm ci --include=dev --no-audit --no-fund --loglevel=error';
  const { status } = spawnSync(command, { shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
