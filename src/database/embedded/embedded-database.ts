import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { IN_MEMORY } from '../../config/settings.js';
import { Engine, type EngineLostError } from './engine.js';
import { lockFolder } from './folder-lock.js';
import { SharedSession } from './session.js';
import { WireStream } from './wire-stream.js';

export interface EmbeddedOptions {
  /** Absolute path, or `memory://`. */
  dataDir: string;
  snapshotFile?: string;
  statementTimeoutMs?: number;
  /** Told when the engine died or hung and is being replaced. */
  onLost?: (error: EngineLostError) => void;
}

/** An embedded PostgreSQL, reached through the options it gives the `pg` driver. */
export interface EmbeddedDatabase {
  readonly driverOptions: {
    stream: () => WireStream;
    max: 1;
    user: string;
    database: string;
  };
  close: () => Promise<void>;
}

const CLUSTER = 'pgdata';
const UNFINISHED = 'pgdata.init-';
const STATEMENT_TIMEOUT_MS = 30_000;

/** Whether the folder has a database already. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, CLUSTER));
}

/**
 * Opens the database in a folder, and makes folder and database where there are none.
 *
 * @throws FolderInUseError when another process has the folder
 */
export async function openEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, snapshotFile } = options;
  if (dataDir === IN_MEMORY) {
    return start(options, { folder: null, snapshotFile: snapshotFile ?? null });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  try {
    const folder = await ensureCluster(dataDir);
    const database = await start(options, { folder, snapshotFile: null });
    return {
      ...database,
      close: async () => {
        await database.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, onLost }: EmbeddedOptions,
  engineOptions: { folder: string | null; snapshotFile: string | null },
): Promise<EmbeddedDatabase> {
  const session = new SharedSession();
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
    close: () => engine.close(),
  };
}

/** The cluster appears under its name only when it is whole: a crash half-way leaves nothing half-made. */
async function ensureCluster(dataDir: string): Promise<string> {
  const cluster = join(dataDir, CLUSTER);
  for (const entry of readdirSync(dataDir)) {
    if (entry.startsWith(UNFINISHED)) rmSync(join(dataDir, entry), { recursive: true });
  }
  if (!existsSync(cluster)) {
    const unfinished = join(dataDir, UNFINISHED + randomUUID());
    const initdb = fileURLToPath(new URL('./initdb.js', import.meta.url));
    await promisify(execFile)(process.execPath, [initdb, unfinished]);
    renameSync(unfinished, cluster);
  }
  return cluster;
}
