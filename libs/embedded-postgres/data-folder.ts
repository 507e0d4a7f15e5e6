import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from './create-folder.js';
import { EmbeddedPostgresError } from './errors.js';

/** The data folder cannot be used; nothing in it was changed. */
export class DataFolderError extends EmbeddedPostgresError {
  constructor(folder: string, problem: string) {
    super(`${folder}: ${problem}`);
  }
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** The folder of the cluster in the data folder. */
const CLUSTER = 'pgdata';

export const clusterIn = (dataDir: string): string => join(dataDir, CLUSTER);

/**
 * PGlite would create a new, empty cluster over the old one if PG_VERSION were missing; without the
 * others it fails.
 */
const REQUIRED_FILES = [
  ...['PG_VERSION', 'base', 'global/pg_control', 'global/pg_filenode.map', 'pg_wal', 'pg_xact'],
  ...['pg_commit_ts', 'pg_logical', 'pg_multixact', 'pg_notify', 'pg_replslot', 'pg_subtrans'],
  ...['pg_twophase', 'pg_hba.conf', 'postgresql.conf'],
];

/**
 * Creates the folder, accessible to its owner only, if it does not exist.
 *
 * @throws DataFolderError when it cannot be created or written
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    createFolder(dataDir);
    // Fails with ENOTDIR where it is a file.
    readdirSync(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError(dataDir, `it cannot be written (${codeOf(error)})`);
  }
}

/** What an operator does with a cluster that cannot be used. */
export const RESTORE_ADVICE = 'restore it, or move it away to start with an empty database';

/** PostgreSQL reads these files in whole pages. */
const PAGE_BYTES = 8192;

/**
 * @throws DataFolderError when the folder has an incomplete cluster, or one whose state is damaged
 */
export function assertCompleteCluster(dataDir: string): void {
  const cluster = clusterIn(dataDir);
  if (!existsSync(cluster)) return;
  const missing = REQUIRED_FILES.filter((name) => !existsSync(join(cluster, name)));
  if (missing.length > 0) {
    const problem = `${cluster} is not a complete database (${missing.join(', ')} missing)`;
    throw new DataFolderError(dataDir, `${problem}; ${RESTORE_ADVICE}`);
  }
  const damaged = ['global/pg_control', oldestTransactions(cluster)].filter(
    (name) => !hasPages(dataDir, join(cluster, name)),
  );
  if (damaged.length === 0) return;
  const problem = `${cluster} is damaged (${damaged.join(', ')})`;
  throw new DataFolderError(dataDir, `${problem}; ${RESTORE_ADVICE}`);
}

/**
 * The file with the states of the oldest transactions. Without them the engine would mark committed
 * rows as not committed. A newer file may be empty.
 */
const oldestTransactions = (cluster: string): string =>
  join('pg_xact', readdirSync(join(cluster, 'pg_xact')).sort()[0] ?? '0000');

/** Whether a file consists of whole pages that are not all empty. */
function hasPages(dataDir: string, path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const content = readFileSync(path);
    return content.length % PAGE_BYTES === 0 && content.some((byte) => byte !== 0);
  } catch (error) {
    throw new DataFolderError(dataDir, `${path} cannot be read (${codeOf(error)})`);
  }
}

/**
 * Removes the file of a killed process, which stops a start if it is empty. The lock of the folder
 * replaces it.
 */
export function removeProcessFile(cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Removes the permissions of the group and other users from a cluster.
 *
 * @throws DataFolderError when another user owns it
 */
export function restrictToOwner(cluster: string): void {
  try {
    for (const name of ['.', ...readdirSync(cluster, { encoding: 'utf8', recursive: true })]) {
      const path = join(cluster, name);
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) continue;
      const mode = stats.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE;
      if ((stats.mode & 0o777) !== mode) chmodSync(path, mode);
    }
  } catch (error) {
    throw new DataFolderError(
      dirname(cluster),
      `the database in it belongs to another user (${codeOf(error)})`,
    );
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);
