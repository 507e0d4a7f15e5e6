import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, emit, installTools, missingFor, run, TOURS } from './generated-clients.js';
import { useProcesses, type ServiceProcesses } from './service-process.js';
import { TEST_PASSWORD } from './service.js';

/** What each program in `test/generated-clients` prints. */
const TOUR = `
account open true
reset {}
confirm 401
weekly Rent 110.00 5
bi_weekly Rent 110.00 10
monthly Rent 110.00 20
custom Rent 110.00 2
tag paid
updated_at paid
budget Home 3000.00 true
change cycle_expense false paid
undone cycle_expense overdue
`.trimStart();

/** With a mail server users can request a reset. None is sent: nothing listens there. */
const MAIL = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'gastos@example.com',
  PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
};

/** A folder for the client of each test, and its program run against a new service. */
export class GeneratedClient {
  folder = '';

  constructor(readonly processes: ServiceProcesses) {}

  /** Runs a program with a new account at a new service, and compares what it prints. */
  async expectTour(command: string, args: string[], env = {}): Promise<void> {
    const service = await this.processes.start(MAIL);
    const account = { email: 'tour@example.com', password: TEST_PASSWORD };
    const registered = await fetch(`${service.api}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(account),
    });
    expect(registered.status).toBe(201);
    const access = [service.origin, account.email, account.password];
    expect(run(this.folder, command, [...args, ...access], env)).toEqual({ code: 0, output: TOUR });
  }

  /**
   * Compiles the program of a client in strict mode and runs it. The compiler refuses a field that
   * does not exist.
   *
   * @param library options that the generator's own code needs
   */
  async expectTypeScriptTour(name: string, library: object = {}): Promise<void> {
    const program = readFileSync(join(TOURS, `${name}.ts`), 'utf8');
    writeFileSync(join(this.folder, 'tour.ts'), `${program}\nsecond.total;\n`);
    expect(compile(this.folder, ['tour.ts', 'client'], library)).toMatch(
      /^tour\.ts\(\d+,\d+\): error TS2339: Property 'total' does not exist/,
    );
    writeFileSync(join(this.folder, 'tour.ts'), program);
    expect(emit(this.folder, ['tour.ts', 'client'], library)).toBe('');
    await this.expectTour(process.execPath, ['out/tour.js']);
  }
}

/** Installs the generators in TypeScript before the tests of a file. */
export function useGeneratedClient(): GeneratedClient {
  const client = new GeneratedClient(useProcesses());

  beforeAll(installTools, 240_000);

  beforeEach(() => {
    client.folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  });

  afterEach(() => rmSync(client.folder, { recursive: true }));

  return client;
}

/** Skips a test where something of a language is missing, and names it. */
export const itWith = (
  language: Parameters<typeof missingFor>[0],
): ((name: string, test: () => Promise<void>) => void) => {
  const missing = missingFor(language);
  return (name, test) =>
    missing.length > 0
      ? it.skip(`${name}; missing: ${missing.join(', ')}`, test)
      : it(name, test, 480_000);
};
