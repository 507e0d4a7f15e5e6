import { afterAll, beforeAll, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { databaseLocation } from '../../src/platform/config/database-location.js';
import type { DatabaseSettings } from '../../src/platform/config/settings.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { copyDatabaseInto, createTestDatabase } from './test-database.js';

const PROGRAM = fileURLToPath(new URL('../../dist/src/operators/cli/main.js', import.meta.url));

export type EngineName = 'embedded' | 'server';

/** The database engine that the tests run on. */
export const ENGINE: EngineName = process.env.TEST_DATABASE_URL ? 'server' : 'embedded';

/** The engines to test with: a server only if TEST_DATABASE_URL names one. */
export const ENGINES: readonly EngineName[] =
  ENGINE === 'server' ? ['embedded', 'server'] : ['embedded'];

/** Each command is a process that takes seconds to start on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built program with only the given environment variables (and PATH). */
export async function runProgram(
  args: readonly string[],
  { env, cwd, input = '' }: { env: Record<string, string>; cwd: string; input?: string | Buffer },
): Promise<CommandResult> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

/** The line that a command prints before all others to stderr. */
export const databaseLine = (location: string): string => `Database: ${location}\n`;

/** A migrated database that commands in other processes can open. */
export interface CliDatabase {
  settings: DatabaseSettings;
  /**
   * Runs a command, which must print first which database it uses; `stderr` is what follows.
   */
  run: (args: readonly string[], input?: string | Buffer) => Promise<CommandResult>;
  /** Runs a command that must succeed, and returns its standard output. */
  print: (args: readonly string[], input?: string) => Promise<string>;
  /** The same with further settings. */
  with: (env: Record<string, string>) => CliDatabase;
  /** Opens the database in this process, between commands. */
  use: <Result>(work: (dataSource: DataSource) => Promise<Result>) => Promise<Result>;
}

/** A temporary folder of a test file, with databases in it and on the server. */
export class Sandbox {
  folder!: string;
  private readonly drops: (() => Promise<void>)[] = [];

  path(name: string): string {
    return join(this.folder, name);
  }

  async database(engine: EngineName): Promise<CliDatabase> {
    const settings = engine === 'server' ? await this.onServer() : await this.inFolder();
    return this.databaseAt(settings);
  }

  /** @param further settings */
  databaseAt(settings: DatabaseSettings, further: Record<string, string> = {}): CliDatabase {
    const env: Record<string, string> = {
      ...further,
      ...(settings.kind === 'server'
        ? { DATABASE_URL: settings.url }
        : { DATA_DIR: settings.dataDir }),
    };
    const line = databaseLine(databaseLocation(settings));
    const run: CliDatabase['run'] = async (args, input) => {
      const { stderr, ...rest } = await runProgram(args, { env, cwd: this.folder, input });
      if (!stderr.startsWith(line)) {
        throw new Error(`${args.join(' ')} does not print its database first: ${stderr}`);
      }
      return { ...rest, stderr: stderr.slice(line.length) };
    };
    return {
      settings,
      run,
      print: async (args, input) => {
        const { code, stdout, stderr } = await run(args, input);
        if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
        return stdout;
      },
      with: (more) => this.databaseAt(settings, more),
      use: async (work) => {
        const { dataSource, close } = await openDatabase(settings, SCHEMA);
        try {
          return await work(dataSource);
        } finally {
          await close();
        }
      },
    };
  }

  open(): void {
    this.folder = mkdtempSync(join(tmpdir(), 'cli-test-'));
  }

  async close(): Promise<void> {
    for (const drop of this.drops) await drop();
    rmSync(this.folder, { recursive: true });
  }

  private async onServer(): Promise<DatabaseSettings> {
    const { settings, drop } = await createTestDatabase();
    this.drops.push(drop);
    return settings;
  }

  private async inFolder(): Promise<DatabaseSettings> {
    const dataDir = mkdtempSync(join(this.folder, 'data-'));
    const settings: DatabaseSettings = { kind: 'embedded', dataDir };
    if (!copyDatabaseInto(dataDir)) await (await openDatabase(settings, SCHEMA)).close();
    return settings;
  }
}

/** Creates a sandbox before the tests of a file and removes it after them. */
export function useSandbox(): Sandbox {
  const sandbox = new Sandbox();
  jest.setTimeout(TEST_TIMEOUT_MS);
  beforeAll(() => sandbox.open());
  afterAll(() => sandbox.close());
  return sandbox;
}
