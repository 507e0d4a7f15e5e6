import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compile,
  emit,
  generate,
  GENERATORS,
  installTools,
  JAVA_CLASS_PATH,
  missingFor,
  OPENAPI_DOCUMENT,
  prepareApplication,
  PROJECT,
  run,
  sourceFiles,
  tool,
  TOURS,
} from '../support/generated-clients.js';
import { useProcesses } from '../support/service-process.js';
import { TEST_PASSWORD } from '../support/service.js';

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

const SANDBOX = join(PROJECT, 'dist/src/operators/sandbox/main.js');

const OPENAPI_GENERATOR = ['-jar', GENERATORS.jar, 'generate', '-i', OPENAPI_DOCUMENT];

describe('a generated client runs against the service', () => {
  const processes = useProcesses();
  let folder: string;

  beforeAll(installTools, 240_000);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a program with a new account at a new service, and compares what it prints. */
  async function expectTour(command: string, args: string[], env = {}): Promise<void> {
    const service = await processes.start(MAIL);
    const account = { email: 'tour@example.com', password: TEST_PASSWORD };
    const registered = await fetch(`${service.api}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(account),
    });
    expect(registered.status).toBe(201);
    const access = [service.origin, account.email, account.password];
    expect(run(folder, command, [...args, ...access], env)).toEqual({ code: 0, output: TOUR });
  }

  /**
   * Compiles the program of a client in strict mode and runs it. The compiler refuses a field that
   * does not exist.
   *
   * @param library options that the generator's own code needs
   */
  async function expectTypeScriptTour(name: string, library: object = {}): Promise<void> {
    const program = readFileSync(join(TOURS, `${name}.ts`), 'utf8');
    writeFileSync(join(folder, 'tour.ts'), `${program}\nsecond.total;\n`);
    expect(compile(folder, ['tour.ts', 'client'], library)).toMatch(
      /^tour\.ts\(\d+,\d+\): error TS2339: Property 'total' does not exist/,
    );
    writeFileSync(join(folder, 'tour.ts'), program);
    expect(emit(folder, ['tour.ts', 'client'], library)).toBe('');
    await expectTour(process.execPath, ['out/tour.js']);
  }

  it('a client of openapi-typescript runs', async () => {
    prepareApplication(folder);
    const output = ['--output', 'client/schema.ts'];
    generate(folder, tool('.bin/openapi-typescript'), [OPENAPI_DOCUMENT, ...output]);
    await expectTypeScriptTour('openapi-typescript');
  }, 240_000);

  // The package manager chooses orval 7 on Node.js 20.
  it.each([
    ['7', 'orval-7/dist/bin/orval.js'],
    ['8', 'orval/dist/bin/orval.mjs'],
  ])(
    'a client of orval %s runs',
    async (_version, script) => {
      prepareApplication(folder);
      const output = ['--output', 'client/api.ts', '--client', 'fetch'];
      generate(folder, tool(script), ['--input', OPENAPI_DOCUMENT, ...output]);
      await expectTypeScriptTour('orval');
    },
    240_000,
  );

  it('a client of Hey API runs', async () => {
    prepareApplication(folder);
    const output = ['--output', 'client'];
    generate(folder, tool('.bin/openapi-ts'), ['--input', OPENAPI_DOCUMENT, ...output]);
    await expectTypeScriptTour('hey-api', { exactOptionalPropertyTypes: false });
  }, 240_000);

  const itWith = (
    language: Parameters<typeof missingFor>[0],
  ): ((name: string, test: () => Promise<void>) => void) => {
    const missing = missingFor(language);
    return (name, test) =>
      missing.length > 0
        ? it.skip(`${name}; missing: ${missing.join(', ')}`, test)
        : it(name, test, 480_000);
  };

  itWith('jvm')('a client of openapi-generator for TypeScript runs', async () => {
    prepareApplication(folder);
    const options = [
      '-g',
      'typescript-fetch',
      '--additional-properties',
      'importFileExtension=.js',
    ];
    generate(folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    await expectTypeScriptTour('openapi-generator', {
      exactOptionalPropertyTypes: false,
      noUncheckedIndexedAccess: false,
    });
  });

  itWith('jvm')('a client of openapi-generator for Python runs', async () => {
    const options = ['-g', 'python', '--additional-properties', 'packageName=expense_api'];
    generate(folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    const program = join(TOURS, 'openapi_generator_python.py');
    await expectTour(GENERATORS.python, [program], { PYTHONPATH: 'client' });
  });

  function generatePythonClient(): void {
    mkdirSync(join(folder, 'client'));
    generate(folder, GENERATORS.openapiPythonClient, [
      ...['generate', '--path', OPENAPI_DOCUMENT],
      ...['--output-path', 'client/expense_api', '--meta', 'none'],
    ]);
  }

  itWith('python')('a client of openapi-python-client runs', async () => {
    generatePythonClient();
    const program = join(TOURS, 'openapi_python_client.py');
    await expectTour(GENERATORS.python, [program], { PYTHONPATH: 'client' });
  });

  itWith('python')('the example tests in Python pass with openapi-python-client', async () => {
    generatePythonClient();
    const sandbox = processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const tests = join(PROJECT, 'examples/tests/python/test_cycles.py');
    const env = { PYTHONPATH: 'client', SANDBOX_URL: sandbox.origin };
    const { code, output } = run(folder, GENERATORS.python, ['-B', tests], env);
    expect(output).toMatch(/^Ran 2 tests in .*\n\nOK\n$/m);
    expect(code).toBe(0);
  });

  itWith('java')('a client of openapi-generator for Java runs', async () => {
    const packages = 'apiPackage=expenses.api,modelPackage=expenses.model,invokerPackage=expenses';
    const properties = `openApiNullable=false,useJakartaEe=true,${packages}`;
    const options = ['-g', 'java', '--library', 'native', '--additional-properties', properties];
    generate(folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    const sources = [
      ...sourceFiles(join(folder, 'client/src/main'), '.java'),
      join(TOURS, 'Tour.java'),
    ];
    const output = ['-nowarn', '-encoding', 'UTF-8', '-d', 'classes'];
    generate(folder, 'javac', [...output, '-cp', JAVA_CLASS_PATH, ...sources]);
    await expectTour('java', ['-cp', `classes:${JAVA_CLASS_PATH}`, 'Tour']);
  });

  itWith('go')('a client of openapi-generator for Go runs', async () => {
    const properties = 'packageName=expenses,enumClassPrefix=true';
    const options = ['-g', 'go', '--additional-properties', properties, '-o', 'src/expenses'];
    generate(folder, 'java', [...OPENAPI_GENERATOR, ...options]);
    rmSync(join(folder, 'src/expenses/test'), { recursive: true });
    mkdirSync(join(folder, 'src/tour'));
    cpSync(join(TOURS, 'tour.go'), join(folder, 'src/tour/tour.go'));
    const env = {
      GOPATH: `${folder}:/usr/share/gocode`,
      GO111MODULE: 'off',
      GOCACHE: join(folder, 'cache'),
    };
    generate(folder, 'go', ['build', '-o', 'tour', 'tour'], env);
    await expectTour(join(folder, 'tour'), []);
  });
});
