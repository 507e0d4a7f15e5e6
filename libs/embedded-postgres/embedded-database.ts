import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  assertCompleteCluster,
  clusterIn,
  prepareDataFolder,
  removeProcessFile,
  restrictToOwner,
} from './data-folder.js';
import { createEmptyCluster } from './empty-cluster.js';
import { Engine, type EngineLostError } from './engine.js';
import type { EngineOptions } from './engine.worker.js';
import { lockFolder } from './folder-lock.js';
import { SessionQueue } from './session-queue.js';
import { syncPath } from './sync-path.js';
import { WireStream } from './wire-stream.js';

/** The data folder of a database that ends with the process. */
export const IN_MEMORY_DATA_DIR = 'memory://';

interface EmbeddedOptions {
  /** Absolute path, or `memory://`. */
  dataDir: string;
  /** The archive of an empty cluster, with which a new database begins. */
  emptyCluster: string;
  /** The archive of another cluster; with `memory://` only. */
  snapshotFile?: string;
  statementTimeoutMs?: number;
  /** Called when the engine ended or hung and is being replaced. */
  onLost?: (error: EngineLostError) => void;
}

/** An embedded PostgreSQL; clients connect with its options for the `pg` driver. */
export interface EmbeddedDatabase {
  readonly driverOptions: {
    stream: () => WireStream;
    max: 1;
    user: string;
    database: string;
  };
  /** Whether the engine works for other clients, for which a statement has to wait. */
  isBusy: () => boolean;
  close: () => Promise<void>;
}

const UNFINISHED_PREFIX = 'pgdata.init-';
const STATEMENT_TIMEOUT_MS = 30_000;

/** Whether the folder contains a database. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(clusterIn(dataDir));
}

/**
 * Opens the database in a folder; creates the folder and the database if they do not exist.
 *
 * @throws FolderInUseError when another process uses the folder; DataFolderError when it is not
 *   writable or its database is incomplete
 */
export async function openEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, emptyCluster, snapshotFile } = options;
  if (dataDir === IN_MEMORY_DATA_DIR) {
    return start(options, { snapshotFile: snapshotFile ?? emptyCluster });
  }
  prepareDataFolder(dataDir);
  // New files are private from the moment of their creation, before their own mode is set.
  process.umask(0o077);
  const unlock = lockFolder(dataDir);
  try {
    const folder = await ensureCluster(dataDir, emptyCluster);
    const database = await start(options, { folder }).catch((error: unknown) => {
      removeProcessFile(folder);
      throw error;
    });
    return {
      ...database,
      close: async () => {
        await database.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function start(
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, onLost }: EmbeddedOptions,
  engineOptions: EngineOptions,
): Promise<EmbeddedDatabase> {
  const session = new SessionQueue();
  const engine = new Engine(engineOptions, { statementTimeoutMs }, (error) => {
    onLost?.(error);
    session.disconnectAll(error);
  });
  await engine.ready();
  return {
    driverOptions: {
      stream: () => new WireStream(engine, session),
      max: 1,
      user: 'postgres',
      database: 'postgres',
    },
    isBusy: () => engine.isBusy(),
    close: () => engine.close(),
  };
}

/**
 * Creates the cluster under a temporary name and renames it, so that a crash leaves no incomplete
 * cluster.
 */
async function ensureCluster(dataDir: string, emptyCluster: string): Promise<string> {
  assertCompleteCluster(dataDir);
  const cluster = clusterIn(dataDir);
  for (const entry of readdirSync(dataDir)) {
    if (entry.startsWith(UNFINISHED_PREFIX)) rmSync(join(dataDir, entry), { recursive: true });
  }
  if (existsSync(cluster)) {
    restrictToOwner(cluster);
    removeProcessFile(cluster);
  } else {
    const unfinished = join(dataDir, UNFINISHED_PREFIX + randomUUID());
    await createEmptyCluster(unfinished, emptyCluster);
    renameSync(unfinished, cluster);
    // A power failure could else undo the renaming after the first commits.
    syncPath(dataDir);
  }
  return cluster;
}
