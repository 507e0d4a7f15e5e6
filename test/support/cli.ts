import { afterAll, beforeAll, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import type { DatabaseSettings } from '../../src/config/settings.js';
import { openDatabase } from '../../src/database/open-database.js';
import { createTestDatabase } from './test-database.js';

const PROGRAM = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export type EngineName = 'embedded' | 'server';

/** The engine that the tests run on. */
export const ENGINE: EngineName = process.env.TEST_DATABASE_URL ? 'server' : 'embedded';

/** All that there are: the server only where the tests are given one. */
export const ENGINES: readonly EngineName[] =
  ENGINE === 'server' ? ['embedded', 'server'] : ['embedded'];

/** Each command is a process that takes seconds to start on a busy machine. */
const LONGEST_TEST_MS = 180_000;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built program as operators do: only what is said here is set. */
export async function runProgram(
  args: readonly string[],
  { env, cwd, input = '' }: { env: Record<string, string>; cwd: string; input?: string },
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

/** A migrated database that commands of other processes can open. */
export interface OperatedDatabase {
  settings: DatabaseSettings;
  run: (args: readonly string[], input?: string) => Promise<CommandResult>;
  /** Runs the command, which must go well, and gives what it printed. */
  print: (args: readonly string[], input?: string) => Promise<string>;
  /** Opens it here, between commands. */
  use: <Result>(work: (dataSource: DataSource) => Promise<Result>) => Promise<Result>;
}

/** A folder for a test file, and databases in it and on the server. */
export class Workshop {
  folder!: string;
  private readonly drops: (() => Promise<void>)[] = [];
  private template?: Promise<string>;

  /** A file in the folder. */
  path(name: string): string {
    return join(this.folder, name);
  }

  async database(engine: EngineName): Promise<OperatedDatabase> {
    const settings = engine === 'server' ? await this.onServer() : await this.inFolder();
    return this.operated(settings);
  }

  operated(settings: DatabaseSettings): OperatedDatabase {
    const env: Record<string, string> =
      settings.kind === 'server' ? { DATABASE_URL: settings.url } : { DATA_DIR: settings.dataDir };
    const run: OperatedDatabase['run'] = (args, input) =>
      runProgram(args, { env, cwd: this.folder, input });
    return {
      settings,
      run,
      print: async (args, input) => {
        const { code, stdout, stderr } = await run(args, input);
        if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
        return stdout;
      },
      use: async (work) => {
        const { dataSource, close } = await openDatabase(settings);
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

  /** A copy of one that is made once: making one takes seconds. */
  private async inFolder(): Promise<DatabaseSettings> {
    this.template ??= this.makeTemplate();
    const dataDir = mkdtempSync(join(this.folder, 'data-'));
    cpSync(await this.template, dataDir, { recursive: true });
    return { kind: 'embedded', dataDir };
  }

  private async makeTemplate(): Promise<string> {
    const dataDir = this.path('template');
    await (await openDatabase({ kind: 'embedded', dataDir })).close();
    return dataDir;
  }
}

/** Opens a workshop before the tests of a file and clears it away after them. */
export function useWorkshop(): Workshop {
  const workshop = new Workshop();
  jest.setTimeout(LONGEST_TEST_MS);
  beforeAll(() => workshop.open());
  afterAll(() => workshop.close());
  return workshop;
}
