import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { copyDatabaseInto } from './test-database.js';

export const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** The built service as a separate process, as an operator runs it. */
export class ServiceProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  /** @param stdout a file descriptor for the output; by default it is captured here */
  constructor(
    env: NodeJS.ProcessEnv,
    folder: string,
    stdout?: number,
    main = MAIN,
    args: readonly string[] = [],
  ) {
    this.child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  get output(): string {
    return this.stdout + this.stderr;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until the output matches. */
  async waitForOutput(text: string | RegExp, timeoutMs?: number): Promise<void> {
    await eventually(
      `${String(text)} in the output`,
      () => {
        const { output } = this;
        if (typeof text === 'string' ? output.includes(text) : text.test(output)) return true;
        if (this.hasEnded) throw new Error(`The process exited:\n${output}`);
        return false;
      },
      timeoutMs,
    );
  }

  /** The origin in the output: `http://127.0.0.1:34567`. */
  get origin(): string {
    return /API\s+(http:\/\/[^/\s]+)\//.exec(this.output)?.[1] ?? '';
  }

  get api(): string {
    return `${this.origin}/api/v1`;
  }

  get metricsUrl(): string {
    return /Metrics\s+(http:[^\s"]+)/.exec(this.output)?.[1] ?? '';
  }

  /** @returns the exit code, or null if a signal ended the process */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode;
  }

  /** Waits until the process exits. */
  async end(): Promise<{ code: number | null; output: string }> {
    if (!this.hasEnded) await once(this.child, 'close');
    return { code: this.child.exitCode, output: this.output };
  }
}

export interface ServiceProcesses {
  /** The working and data folder of the processes. It has no `.env`. */
  readonly folder: string;
  /** Starts a process with only the given environment variables and the defaults. */
  run: (
    env?: Record<string, string>,
    stdout?: number,
    main?: string,
    args?: readonly string[],
  ) => ServiceProcess;
  /** Starts a process, with a database in its data folder, and waits until it accepts requests. */
  start: (env?: Record<string, string>) => Promise<ServiceProcess>;
}

/** Starts processes for a test or for a file, and kills those that still run after it. */
export function useProcesses(
  defaults: () => Record<string, string> = () => ({}),
  lifetime: 'test' | 'file' = 'test',
): ServiceProcesses {
  const [before, after] = lifetime === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let folder = '';
  const running: ServiceProcess[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  });

  after(async () => {
    for (const service of running.splice(0)) await service.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const run: ServiceProcesses['run'] = (env = {}, stdout, main, args) => {
    const base = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0' };
    const service = new ServiceProcess(
      { ...base, DATA_DIR: join(folder, 'data'), ...defaults(), ...env },
      folder,
      stdout,
      main,
      args,
    );
    running.push(service);
    return service;
  };

  return {
    get folder() {
      return folder;
    },
    run,
    start: async (env) => {
      copyDatabaseInto(join(folder, 'data'));
      const service = run(env);
      await service.waitForOutput(/Data /);
      return service;
    },
  };
}

/** The values of a Prometheus endpoint by sample: `name{label="value"}`. */
export async function metricsAt(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(url)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
