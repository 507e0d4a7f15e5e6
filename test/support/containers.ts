import { afterAll } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { freePort } from './ports.js';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const IMAGE = 'expense-service';
/** Of the version before the last migration. */
export const PREVIOUS_IMAGE = `${IMAGE}:previous-schema`;

/** Migrations on a busy machine. */
const HEALTHY_TIMEOUT_MS = 180_000;

const execute = promisify(execFile);

/**
 * Runs the Docker client and returns its standard output; an error has the standard error in its
 * message.
 */
export async function docker(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await execute('docker', args, {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    maxBuffer: 100 * 2 ** 20,
  });
  return stdout.trim();
}

/** Builds an image from a folder with the project. */
export async function buildImage(tag: string, folder = PROJECT): Promise<void> {
  await docker(['build', '--quiet', '--tag', tag, folder]);
}

/** Builds {@link PREVIOUS_IMAGE} from the commit before the last change of the migrations. */
export async function buildPreviousImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'previous-schema-'));
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();
  const changed = git('log', '-1', '--format=%H', '--', 'src/migrations');
  git('archive', '--format=tar', '--output', join(folder, 'source.tar'), `${changed}^`);
  execFileSync('tar', ['-xf', 'source.tar'], { cwd: folder });
  // The base images are those of the present one, which are there.
  const dockerfile = join(folder, 'Dockerfile');
  const [base = ''] =
    /^FROM node:\S+/m.exec(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')) ?? [];
  writeFileSync(dockerfile, readFileSync(dockerfile, 'utf8').replace(/^FROM node:\S+/m, base));
  await buildImage(PREVIOUS_IMAGE, folder);
  rmSync(folder, { recursive: true });
}

/** The output of a container so far. */
export async function logsOf(container: string): Promise<string> {
  const { stdout, stderr } = await execute('docker', ['logs', container]);
  return stdout + stderr;
}

/** The value of a field of a container: `.State.Health.Status`. */
export const inspect = (container: string, field: string): Promise<string> =>
  docker(['inspect', '--format', `{{${field}}}`, container]);

export async function waitUntilHealthy(container: string): Promise<void> {
  await eventually(
    `${container} is healthy`,
    async () => {
      if ((await inspect(container, '.State.Running')) === 'true') {
        return (await inspect(container, '.State.Health.Status')) === 'healthy';
      }
      throw new Error(`The container has stopped:\n${await logsOf(container)}`);
    },
    HEALTHY_TIMEOUT_MS,
  );
}

/** Runs a shell command in a container. */
export const inContainer = (container: string, command: string): Promise<string> =>
  docker(['exec', container, 'sh', '-c', command]);

/** The lines of /proc/1/status by name: what the kernel allows the first process. */
export async function processStatus(container: string): Promise<Map<string, string>> {
  const lines = (await inContainer(container, 'cat /proc/1/status')).split('\n');
  return new Map(lines.map((line) => line.split(/:\s+/) as [string, string]));
}

/**
 * In MB, of the largest process of a container: now, or the most since it started or since
 * `forgetPeak`.
 */
export async function residentMemory(container: string, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const lines = await inContainer(container, `grep -h ${field} /proc/[0-9]*/status`);
  const sizes = [...lines.matchAll(/(\d+) kB/g)].map(([, size]) => Number(size));
  return Math.round(Math.max(...sizes) / 1024);
}

/** Lets the peak of the resident memory begin again. */
export const forgetPeak = (container: string): Promise<string> =>
  inContainer(
    container,
    'for file in /proc/[0-9]*/clear_refs; do echo 5 > $file || true; done 2>/dev/null',
  );

export interface EmbeddedContainer {
  name: string;
  origin: string;
}

interface EmbeddedOptions {
  image?: string;
  volume: string;
  memory?: string;
  /** Settings in addition to or in place of those of the tests. */
  env?: Record<string, string>;
  network?: string;
}

/**
 * Runs the image with the embedded database, as docs/operations.md says; removes containers and
 * volumes after the file.
 */
export class EmbeddedContainers {
  private readonly prefix = `expense-test-${process.pid}`;
  private count = 0;
  private readonly volumes = new Set<string>();

  constructor() {
    afterAll(async () => {
      for (let n = 1; n <= this.count; n += 1) {
        await docker(['rm', '--force', this.name(n)]).catch(() => undefined);
      }
      for (const volume of this.volumes) await docker(['volume', 'rm', volume]);
    });
  }

  volume(name: string): string {
    const volume = `${this.prefix}-${name}`;
    this.volumes.add(volume);
    return volume;
  }

  /** Starts a container; it is not healthy yet. */
  async create({
    image = IMAGE,
    volume,
    memory = '1g',
    env = {},
    network = 'bridge',
  }: EmbeddedOptions): Promise<EmbeddedContainer> {
    const name = this.name(++this.count);
    const port = await freePort();
    await docker([
      ...['run', '--detach', '--name', name, '--init', '--read-only', '--cap-drop', 'ALL'],
      ...['--security-opt', 'no-new-privileges', '--memory', memory, '--memory-swap', memory],
      ...['--stop-timeout', '30', '--publish', `127.0.0.1:${port}:3000`],
      ...['--volume', `${volume}:/home/node/data`, '--network', network],
      ...Object.entries({ RATE_LIMIT_ENABLED: 'false', ...env }).flatMap(([setting, value]) => [
        '--env',
        `${setting}=${value}`,
      ]),
      image,
    ]);
    return { name, origin: `http://127.0.0.1:${port}` };
  }

  async start(options: EmbeddedOptions): Promise<EmbeddedContainer> {
    const container = await this.create(options);
    await waitUntilHealthy(container.name);
    return container;
  }

  private readonly name = (n: number): string => `${this.prefix}-${n}`;
}
