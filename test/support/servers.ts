import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.js';
import { freePort } from './ports.js';

/** Servers for one test file, each in its own folder and on its own port. */

/** Debian does not put PostgreSQL's server programs on the path. */
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

  /** @param options configuration until the next start: `{ ssl: 'on' }` */
  async start(options: Record<string, string> = {}): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.folder,
      // The data is temporary, so it need not survive a crash of the machine.
      fsync: 'off',
      ...options,
    };
    let { server, log } = this.spawn(settings);
    await eventually('PostgreSQL accepts connections', () => {
      if (server.exitCode !== null) {
        // Sessions of a killed server end a moment after it.
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
      {
        cwd: '/',
        stdio: ['ignore', 'ignore', 'pipe'],
        // Connections with TLS to other servers look for certificates in the home folder.
        env: { ...process.env, HOME: this.folder },
        ...this.owner,
      },
    );
    server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    return { server, log: () => log };
  }

  /**
   * `fast` ends every session in order; `immediate` is a crash; `kill` leaves the session
   * processes, which end by themselves a moment later; the next start waits for them.
   */
  async stop(mode: keyof typeof STOP_SIGNALS): Promise<void> {
    await end(this.server, STOP_SIGNALS[mode]);
    this.server = undefined;
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.folder, { recursive: true });
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database and returns its URL. */
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

  /** Opens a session that the caller must end. */
  async connect(url = this.url()): Promise<pg.Client> {
    const session = new pg.Client({ connectionString: url });
    // Tests stop the server while sessions are open.
    session.on('error', () => undefined);
    await session.connect();
    return session;
  }

  /**
   * Starts a streaming standby; it is synchronous if `synchronous_standby_names` of this server
   * names it.
   */
  async startStandby(name: string, options?: Record<string, string>): Promise<PostgresServer> {
    const folder = serverFolder(this.owner);
    execFileSync(
      join(this.bin, 'pg_basebackup'),
      [
        ...['-d', `${this.url()}?application_name=${name}`, '-D', join(folder, 'data')],
        ...['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'],
      ],
      { cwd: '/', stdio: 'pipe', ...this.owner },
    );
    const standby = new PostgresServer(this.bin, folder, this.owner, await freePort());
    await standby.start(options);
    return standby;
  }

  /** Changes the configuration and reloads it. */
  async configure(setting: string, value: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
    await this.query('SELECT pg_reload_conf()');
  }

  /**
   * Copies files into the data folder, readable by the server's user alone, as PostgreSQL requires
   * of keys.
   */
  installFiles(files: Record<string, string>): void {
    for (const [name, source] of Object.entries(files)) {
      const path = join(this.folder, 'data', name);
      execFileSync('install', ['-m', '600', source, path]);
      giveTo(this.owner, path);
    }
  }
}

/** Initializes and starts a PostgreSQL server. */
export async function startPostgres(options?: Record<string, string>): Promise<PostgresServer> {
  const bin = postgresFolder();
  const owner = unprivilegedOwner();
  const folder = serverFolder(owner);
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

/**
 * PgBouncer in front of a PostgreSQL server, with Debian's configuration except for the given
 * settings.
 */
export class PgBouncer {
  private constructor(
    private readonly pooler: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(
    postgres: PostgresServer,
    settings: Record<string, string> = {},
  ): Promise<PgBouncer> {
    const owner = unprivilegedOwner();
    const folder = serverFolder(owner);
    const port = await freePort();
    const users = join(folder, 'users.txt');
    writeFileSync(users, '"postgres" ""\n');
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: users,
      ...settings,
    };
    const file = join(folder, 'pgbouncer.ini');
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(
      file,
      [
        ...['[databases]', `* = host=127.0.0.1 port=${postgres.port}`],
        ...['[pgbouncer]', ...lines, ''],
      ].join('\n'),
    );
    // The umask may make them unreadable for others: opening an embedded database restricts it.
    for (const path of [users, file]) giveTo(owner, path);
    const program = onPath('pgbouncer', ['/usr/sbin']);
    const pooler = spawn(program, ['-q', file], { cwd: '/', stdio: 'ignore', ...owner });
    await eventually('PgBouncer listens', () => acceptsConnections(port));
    return new PgBouncer(pooler, folder, port);
  }

  /** The URL of a server's database through the pooler. */
  url(serverUrl: string): string {
    const url = new URL(serverUrl);
    url.port = String(this.port);
    return url.href;
  }

  async remove(): Promise<void> {
    await end(this.pooler, 'SIGKILL');
    rmSync(this.folder, { recursive: true });
  }
}

/** nginx with one site and otherwise Debian's configuration, as far as it concerns the site. */
export class Nginx {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * @param site the configuration of the site
   * @param port on which it listens
   * @param isRunByRoot whether the first process is root's, if the tests are; the others never are
   */
  static async start(site: string, port: number, isRunByRoot = false): Promise<Nginx> {
    const owner = isRunByRoot ? undefined : unprivilegedOwner();
    const folder = serverFolder(owner);
    // Its processes of another user pass through it.
    chmodSync(folder, 0o711);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, nginxConfiguration(folder, site));
    giveTo(owner, file);
    const server = spawn(
      onPath('nginx', ['/usr/sbin']),
      ['-c', file, '-e', join(folder, 'error.log')],
      { cwd: '/', stdio: 'ignore', ...owner },
    );
    await eventually('nginx listens', () => {
      if (server.exitCode === null) return acceptsConnections(port);
      throw new Error(`nginx does not start:\n${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    });
    return new Nginx(server, folder);
  }

  /** What it has logged about requests. */
  get accessLog(): string {
    return readFileSync(join(this.folder, 'access.log'), 'utf8');
  }

  async remove(): Promise<void> {
    await end(this.server, 'SIGTERM');
    rmSync(this.folder, { recursive: true });
  }
}

const nginxConfiguration = (folder: string, site: string): string => `
  daemon off;
  pid ${folder}/nginx.pid;
  events {}
  http {
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    access_log ${folder}/access.log;
    error_log ${folder}/error.log;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    ${site}
  }
`;

/** The program of {@link Exim}, which only root can run with a configuration of its own. */
export const EXIM = '/usr/sbin/exim4';

const EXIM_USER = 'Debian-exim';

/** Exim on an address, which takes the mails of a user with STARTTLS and keeps all of them. */
export class Exim {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** @param host an IPv4 address of this machine, which is in the certificate */
  static async start(host: string, user: string, password: string): Promise<Exim> {
    const folder = mkdtempSync(join(tmpdir(), 'exim-test-'));
    const openssl = (...args: string[]): Buffer =>
      execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-days', '2', '-subj', '/CN=mail', '-addext', `subjectAltName = IP:${host}`],
      ...['-keyout', 'server.key', '-out', 'server.pem'],
    );
    const hash = openssl('passwd', '-6', password).toString();
    writeFileSync(join(folder, 'passwd'), `${user}: ${hash}`);
    for (const name of ['spool', 'log', 'mails']) mkdirSync(join(folder, name));
    execFileSync('chown', ['--recursive', EXIM_USER, folder]);
    const port = await freePort();
    const file = join(folder, 'exim.conf');
    // Of root, and not writable by others: Exim takes no other one.
    writeFileSync(file, eximConfiguration(folder, host, port), { mode: 0o644 });
    const server = spawn(EXIM, ['-C', file, '-bdf'], { cwd: '/', stdio: 'ignore' });
    await eventually('Exim listens', () => {
      if (server.exitCode === null) return acceptsConnections(port, host);
      throw new Error('Exim does not start');
    });
    return new Exim(server, folder, port);
  }

  /** The file of its certificate. */
  get certificate(): string {
    return join(this.folder, 'server.pem');
  }

  /** The mails that it has delivered. */
  get mails(): string[] {
    const delivered = join(this.folder, 'mails', 'new');
    if (!existsSync(delivered)) return [];
    return readdirSync(delivered).map((name) => readFileSync(join(delivered, name), 'utf8'));
  }

  async remove(): Promise<void> {
    await end(this.server, 'SIGTERM');
    rmSync(this.folder, { recursive: true });
  }
}

const eximConfiguration = (folder: string, host: string, port: number): string => `
primary_hostname = mail.example
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%s
pid_file_path = ${folder}/exim.pid
keep_environment =
local_interfaces = ${host}
daemon_smtp_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${folder}/server.pem
tls_privatekey = ${folder}/server.key
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_rcpt = recipient
deliver_drop_privilege
begin acl
recipient:
  accept authenticated = *
  deny
begin routers
all:
  driver = accept
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = ${folder}/mails
  maildir_format
  user = ${EXIM_USER}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_set_id = $auth2
  server_condition = \${if crypteq{$auth3}{\${lookup{$auth2}lsearch{${folder}/passwd}}}}
`;

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
    await eventually('Redis responds to PING', () => respondsToPing(this.port));
  }

  /** Stops the server; its data is lost. */
  async stop(): Promise<void> {
    await end(this.server, 'SIGKILL');
    this.server = undefined;
  }

  /** SIGSTOP makes the server hang with open connections until SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.server?.kill(signal);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** Starts a Redis server without persistence. */
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

async function acceptsConnections(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = createConnection(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function respondsToPing(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [response] = (await once(socket, 'data')) as [Buffer];
    return response.toString().startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * @param more folders that are only on root's path
 * @throws Error that names the program to install
 */
function onPath(program: string, more: readonly string[] = []): string {
  const folders = [...(process.env.PATH ?? '').split(':'), ...more];
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
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

/** Creates a folder for the data of a server. */
function serverFolder(owner: Owner | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-test-'));
  giveTo(owner, folder);
  return folder;
}

function giveTo(owner: Owner | undefined, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

/** PostgreSQL and PgBouncer refuse to run as root. */
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
    throw new Error('To run as root, these tests need a user postgres or nobody for the servers');
  };
  return { uid: idOf('-u'), gid: idOf('-g') };
}
