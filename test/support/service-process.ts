import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
/** As `npm start` and the image have it. */
const YOUNG_GENERATION = '--max-semi-space-size=64';

/** The built service as a process of its own: what an operator runs. */
export class ServiceProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  /** @param stdout a file's descriptor, where it is not to be read here */
  constructor(env: NodeJS.ProcessEnv, folder: string, stdout?: number) {
    this.child = spawn(process.execPath, [YOUNG_GENERATION, MAIN], {
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

  /** Waits until it has written this. */
  async said(text: string | RegExp, withinMs?: number): Promise<void> {
    await eventually(
      `${String(text)} in the output`,
      () => {
        const { output } = this;
        if (typeof text === 'string' ? output.includes(text) : text.test(output)) return true;
        if (this.hasEnded) throw new Error(`It ended, having said:\n${output}`);
        return false;
      },
      withinMs,
    );
  }

  /** Where it listens, as `http://127.0.0.1:34567`. */
  get origin(): string {
    return /API\s+(http:\/\/[^/\s]+)\//.exec(this.output)?.[1] ?? '';
  }

  get api(): string {
    return `${this.origin}/api/v1`;
  }

  get metricsUrl(): string {
    return /Metrics\s+(http:[^\s"]+)/.exec(this.output)?.[1] ?? '';
  }

  /** @returns the exit code, nothing where a signal ended it */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode;
  }

  /** Waits for it to end by itself. */
  async end(): Promise<{ code: number | null; output: string }> {
    if (!this.hasEnded) await once(this.child, 'close');
    return { code: this.child.exitCode, output: this.output };
  }
}

export interface ServiceProcesses {
  /** For the data of one test, and where its processes run; so no `.env` is read. */
  readonly folder: string;
  /** Like a fresh machine: only what the test says is set. */
  run: (env?: Record<string, string>, stdout?: number) => ServiceProcess;
  /** Runs it, and waits until it serves. */
  start: (env?: Record<string, string>) => Promise<ServiceProcess>;
}

/** Starts processes for a test, or for all of a file; those that still run after it are killed. */
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

  const run = (env: Record<string, string> = {}, stdout?: number): ServiceProcess => {
    const base = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0' };
    const service = new ServiceProcess(
      { ...base, DATA_DIR: join(folder, 'data'), ...defaults(), ...env },
      folder,
      stdout,
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
      const service = run(env);
      await service.said(/Data /);
      return service;
    },
  };
}
