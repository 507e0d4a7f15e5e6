import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.js';
import { freePort } from './ports.js';

/** Servers that exist for one test file alone: in a folder and on a port of their own. */

/** Debian keeps those of PostgreSQL off the path. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

const ROOT = 0;

const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

interface Owner {
  uid: number;
  gid: number;
}

export class PostgresServer {
  private server?: ChildProcess;
  private lastDatabase = 0;

  constructor(
    private readonly bin: string,
    private readonly folder: string,
    private readonly owner: Owner | undefined,
    readonly port: number,
  ) {}

  /** With the options of its configuration, as `{ ssl: 'on' }`, until the next start. */
  async start(options: Record<string, string> = {}): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.folder,
      // Throwaway data: no need to wait for the disk.
      fsync: 'off',
      ...options,
    };
    let { server, log } = this.spawn(settings);
    await eventually('PostgreSQL answers', () => {
      if (server.exitCode !== null) {
        // Of a server that was killed, sessions may be left that have not noticed yet.
        if (!log().includes('is still in use')) {
          throw new Error(`PostgreSQL does not start:\n${log()}`);
        }
        ({ server, log } = this.spawn(settings));
      }
      return this.query('SELECT 1').then(
        () => true,
        () => false,
      );
    });
    this.server = server;
  }

  private spawn(settings: Record<string, string>): { server: ChildProcess; log: () => string } {
    let log = '';
    const server = spawn(
      join(this.bin, 'postgres'),
      [
        ...['-D', join(this.folder, 'data'), '-p', String(this.port)],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], ...this.owner },
    );
    server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    return { server, log: () => log };
  }

  /**
   * `fast` ends every session in order; `immediate` is a crash; `kill` leaves its sessions without it, who
   * notice, end and are waited for by the next start.
   */
  async stop(mode: keyof typeof STOP_SIGNALS): Promise<void> {
    await end(this.server, STOP_SIGNALS[mode]);
    this.server = undefined;
  }

  /** Stops it and leaves nothing of it. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.folder, { recursive: true });
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** A new, empty database; gives its URL. */
  async createDatabase(): Promise<string> {
    const name = `database_${++this.lastDatabase}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  async query<Row>(sql: string, url = this.url()): Promise<Row[]> {
    const session = await this.connect(url);
    try {
      return (await session.query(sql)).rows as Row[];
    } finally {
      await session.end();
    }
  }

  /** A session of the test's own, to be ended by it. */
  async connect(url = this.url()): Promise<pg.Client> {
    const session = new pg.Client({ connectionString: url });
    // The server may go away under it: that is what the tests are about.
    session.on('error', () => undefined);
    await session.connect();
    return session;
  }

  /** Puts files into the data folder, as the server wants them: readable by it alone. */
  take(files: Record<string, string>): void {
    for (const [name, source] of Object.entries(files)) {
      const path = join(this.folder, 'data', name);
      execFileSync('install', ['-m', '600', source, path]);
      if (this.owner) chownSync(path, this.owner.uid, this.owner.gid);
    }
  }
}

/** A PostgreSQL server with no data, started with these options. */
export async function startPostgres(options?: Record<string, string>): Promise<PostgresServer> {
  const bin = postgresFolder();
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-test-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  execFileSync(
    join(bin, 'initdb'),
    [
      ...['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust'],
      ...['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    ],
    { cwd: '/', stdio: 'pipe', ...owner },
  );
  const server = new PostgresServer(bin, folder, owner, await freePort());
  await server.start(options);
  return server;
}

export class RedisServer {
  private server?: ChildProcess;

  constructor(
    private readonly bin: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = spawn(
      this.bin,
      [
        ...['--port', String(this.port), '--bind', '127.0.0.1'],
        ...['--dir', this.folder, '--save', '', '--appendonly', 'no'],
      ],
      { stdio: 'ignore' },
    );
    await eventually('Redis answers', () => answersPing(this.port));
  }

  /** Ends it, and all it counted with it. */
  async stop(): Promise<void> {
    await end(this.server, 'SIGKILL');
    this.server = undefined;
  }

  /** Keeps its connections, and answers nothing until it is told to go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.server?.kill(signal);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** A Redis server that keeps nothing. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-test-'));
  const server = new RedisServer(onPath('redis-server'), folder, await freePort());
  await server.start();
  return server;
}

async function end(server: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (server?.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill(signal);
  await exit;
}

async function answersPing(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** @throws Error that says what to install */
function onPath(program: string): string {
  const folders = (process.env.PATH ?? '').split(':').map((folder) => join(folder, program));
  const found = folders.find((path) => existsSync(path));
  if (!found)
    throw new Error(`These tests need ${program}, which is not on the path (.ci/install)`);
  return found;
}

function postgresFolder(): string {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const newest = versions.sort((one, other) => Number(one) - Number(other)).at(-1);
  return newest === undefined
    ? dirname(realpathSync(onPath('initdb')))
    : join(DEBIAN_POSTGRES, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== ROOT) return undefined;
  const idOf = (kind: string): number => {
    for (const name of ['postgres', 'nobody']) {
      try {
        return Number(execFileSync('id', [kind, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      } catch {
        continue;
      }
    }
    throw new Error('These tests run PostgreSQL, which as root needs a user postgres or nobody');
  };
  return { uid: idOf('-u'), gid: idOf('-g') };
}
