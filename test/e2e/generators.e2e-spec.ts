import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compile,
  compileToDeclarations,
  generate,
  installTools,
  OPENAPI_DOCUMENT,
  prepareApplication,
} from '../support/generated-clients.js';

describe('a client generated from the OpenAPI document compiles in strict mode', () => {
  let folder: string;

  beforeAll(installTools, 240_000);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
    prepareApplication(folder);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Compiles lines of an application that are right, and one that refers to a field that does not exist. */
  function expectTypes(lines: string, wrongLine: string): void {
    writeFileSync(join(folder, 'application.ts'), lines);
    expect(compile(folder, ['application.ts', 'client'])).toBe('');
    writeFileSync(join(folder, 'application.ts'), lines + wrongLine);
    expect(compile(folder, ['application.ts', 'client'])).toMatch(
      /^application\.ts\(\d+,\d+\): error TS2339: Property 'total' does not exist/,
    );
  }

  it('by openapi-typescript', () => {
    generate(folder, 'openapi-typescript', [OPENAPI_DOCUMENT, '--output', 'client/schema.ts']);
    expectTypes(
      `import createClient from 'openapi-fetch';
       import type { paths } from './client/schema.js';
       const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });
       const { data } = await client.GET('/api/v1/cycles/{id}', { params: { path: { id: '1' } } });
       export const balance: string | undefined = data?.remaining_balance;
      `,
      'data?.total;',
    );
  });

  it('by orval', () => {
    const output = ['--output', 'client/api.ts', '--client', 'fetch'];
    generate(folder, 'orval', ['--input', OPENAPI_DOCUMENT, ...output]);
    expectTypes(
      `import { getCycle } from './client/api.js';
       const { data, status } = await getCycle('1');
       if (status !== 200) throw new Error(data.error.code);
       export const balance: string = data.remaining_balance;
      `,
      'data.total;',
    );
  });

  it('by Hey API', () => {
    generate(folder, 'openapi-ts', ['--input', OPENAPI_DOCUMENT, '--output', 'client']);
    // Its library, which does not depend on the document, is copied into the output. It is strict in all but this.
    const library = { exactOptionalPropertyTypes: false };
    for (const part of ['client/core', 'client/client']) {
      expect(compileToDeclarations(folder, part, library)).toBe('');
    }
    expectTypes(
      `import { getCycle } from './client/index.js';
       const { data, error } = await getCycle({ path: { id: '1' } });
       if (!data) throw new Error(error.error.code);
       export const balance: string = data.remaining_balance;
      `,
      'data.total;',
    );
  });
});
