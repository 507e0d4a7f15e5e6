import { describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { itWith, useGeneratedClient } from '../support/generated-client-tour.js';
import {
  generate,
  generateWithOrval,
  GENERATORS,
  OPENAPI_DOCUMENT,
  prepareApplication,
  PROJECT,
  run,
  tool,
  TOURS,
} from '../support/generated-clients.js';

const SANDBOX = join(PROJECT, 'dist/src/operators/sandbox/main.js');

describe('a generated client runs against the service', () => {
  const client = useGeneratedClient();

  it('a client of openapi-typescript runs', async () => {
    prepareApplication(client.folder);
    const output = ['--output', 'client/schema.ts'];
    generate(client.folder, tool('.bin/openapi-typescript'), [OPENAPI_DOCUMENT, ...output]);
    await client.expectTypeScriptTour('openapi-typescript');
  }, 240_000);

  it('a client of orval runs', async () => {
    prepareApplication(client.folder);
    generateWithOrval(client.folder, 'orval/dist/bin/orval.mjs');
    await client.expectTypeScriptTour('orval');
  }, 240_000);

  it('a client of Hey API runs', async () => {
    prepareApplication(client.folder);
    const output = ['--output', 'client'];
    generate(client.folder, tool('.bin/openapi-ts'), ['--input', OPENAPI_DOCUMENT, ...output]);
    await client.expectTypeScriptTour('hey-api', { exactOptionalPropertyTypes: false });
  }, 240_000);

  function generatePythonClient(): void {
    mkdirSync(join(client.folder, 'client'));
    generate(client.folder, GENERATORS.openapiPythonClient, [
      ...['generate', '--path', OPENAPI_DOCUMENT],
      ...['--output-path', 'client/expense_api', '--meta', 'none'],
    ]);
  }

  itWith('python')('a client of openapi-python-client runs', async () => {
    generatePythonClient();
    const program = join(TOURS, 'openapi_python_client.py');
    await client.expectTour(GENERATORS.python, [program], { PYTHONPATH: 'client' });
  });

  itWith('python')('the example tests in Python pass with openapi-python-client', async () => {
    generatePythonClient();
    const sandbox = client.processes.run({ PORT: '0' }, undefined, SANDBOX);
    await sandbox.waitForOutput('The data is lost');
    const tests = join(PROJECT, 'examples/tests/python/test_cycles.py');
    const env = { PYTHONPATH: 'client', SANDBOX_URL: sandbox.origin };
    const { code, output } = run(client.folder, GENERATORS.python, ['-B', tests], env);
    expect(output).toMatch(/^Ran 2 tests in .*\n\nOK\n$/m);
    expect(code).toBe(0);
  });
});
