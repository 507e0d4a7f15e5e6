// @ts-check
/**
 * Installs the packages of the lock file where they are not installed yet, so that one command is
 * enough on a fresh machine and costs nothing on the next call.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const LOCK_FILE = 'package-lock.json';
/** npm writes it at the end of every install. */
const INSTALLED = 'node_modules/.package-lock.json';

const isInstalled =
  existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCK_FILE).mtimeMs;

if (!isInstalled) {
  console.log('Installing packages ...');
  const command = 'npm ci --include=dev --no-audit --no-fund --loglevel=error';
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  process.exit(status ?? 1);
}
