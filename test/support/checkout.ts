import { afterEach, beforeEach } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The folders that the build compiles. */
const SOURCES = ['src', 'libs', 'openapi'];

/** The other files that a start from the sources reads. */
const FILES = [
  ...['.env.example', '.npmrc', 'package.json', 'package-lock.json', 'ormconfig.ts', 'scripts'],
  ...['tsconfig.json', 'tsconfig.build.json', 'fixtures', 'docs/openapi.json', 'empty-cluster'],
];

export interface CommandResult {
  code: number | null;
  output: string;
}

/** A running command and its child processes. */
export class RunningCommand {
  output = '';

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Waits until the output contains the text. */
  async waitForOutput(text: string): Promise<void> {
    await eventually(
      `"${text}" in the output`,
      () => {
        if (this.output.includes(text)) return true;
        if (this.child.exitCode !== null) throw new Error(`The command exited:\n${this.output}`);
        return false;
      },
      180_000,
    );
  }

  async end(): Promise<CommandResult> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'close');
    }
    return { code: this.child.exitCode, output: this.output };
  }

  /** Kills the whole process group with SIGKILL, as the kernel's OOM killer may. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const closed = once(this.child, 'close');
    process.kill(-pid, 'SIGKILL');
    await closed;
  }
}

/**
 * A copy of the project in a temporary folder, with the installed packages of this one and without
 * a build.
 */
export class Checkout {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'checkout-test-')));
  private readonly running: RunningCommand[] = [];

  /** @param sources contents by path; default: the sources of the project */
  constructor(sources?: Record<string, string>) {
    for (const file of FILES) cpSync(join(PROJECT, file), this.path(file), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), this.path('node_modules'));
    for (const folder of SOURCES) {
      if (sources) mkdirSync(this.path(folder));
      else cpSync(join(PROJECT, folder), this.path(folder), { recursive: true });
    }
    for (const [path, text] of Object.entries(sources ?? {})) this.write(path, text);
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  append(path: string, text: string): void {
    this.write(path, readFileSync(this.path(path), 'utf8') + text);
  }

  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
    const { PATH, HOME } = process.env;
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { PATH, HOME, npm_config_update_notifier: 'false', ...env },
      detached: true,
    });
    const started = new RunningCommand(child);
    this.running.push(started);
    return started;
  }

  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult> {
    return this.start(command, args, env).end();
  }

  async remove(): Promise<void> {
    for (const command of this.running) await command.kill();
    rmSync(this.folder, { recursive: true });
  }
}

/**
 * Creates checkouts for a test; removes them, and kills the commands that run in them, after the
 * test.
 */
export function useCheckouts(): (sources?: Record<string, string>) => Checkout {
  let checkouts: Checkout[];
  beforeEach(() => {
    checkouts = [];
  });
  afterEach(async () => {
    for (const checkout of checkouts) await checkout.remove();
  });
  return (sources) => {
    const checkout = new Checkout(sources);
    checkouts.push(checkout);
    return checkout;
  };
}
