import { describe, it } from '@jest/globals';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { itWith, useGeneratedClient } from '../support/generated-client-tour.js';
import {
  generate,
  generateWithOrval,
  GENERATORS,
  JAVA_CLASS_PATH,
  OPENAPI_DOCUMENT,
  prepareApplication,
  sourceFiles,
  TOURS,
} from '../support/generated-clients.js';

const OPENAPI_GENERATOR = ['-jar', GENERATORS.jar, 'generate', '-i', OPENAPI_DOCUMENT];

describe('a client of a less used generator runs against the service', () => {
  const client = useGeneratedClient();

  // The package manager chooses this version on Node.js 20.
  it('a client of orval 7 runs', async () => {
    prepareApplication(client.folder);
    generateWithOrval(client.folder, 'orval-7/dist/bin/orval.js');
    await client.expectTypeScriptTour('orval');
  }, 240_000);

  itWith('jvm')('a client of openapi-generator for TypeScript runs', async () => {
    prepareApplication(client.folder);
    const options = [
      '-g',
      'typescript-fetch',
      '--additional-properties',
      'importFileExtension=.js',
    ];
    generate(client.folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    await client.expectTypeScriptTour('openapi-generator', {
      exactOptionalPropertyTypes: false,
      noUncheckedIndexedAccess: false,
    });
  });

  itWith('jvm')('a client of openapi-generator for Python runs', async () => {
    const options = ['-g', 'python', '--additional-properties', 'packageName=expense_api'];
    generate(client.folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    const program = join(TOURS, 'openapi_generator_python.py');
    await client.expectTour(GENERATORS.python, [program], { PYTHONPATH: 'client' });
  });

  itWith('java')('a client of openapi-generator for Java runs', async () => {
    const packages = 'apiPackage=expenses.api,modelPackage=expenses.model,invokerPackage=expenses';
    const properties = `openApiNullable=false,useJakartaEe=true,${packages}`;
    const options = ['-g', 'java', '--library', 'native', '--additional-properties', properties];
    generate(client.folder, 'java', [...OPENAPI_GENERATOR, ...options, '-o', 'client']);
    const sources = [
      ...sourceFiles(join(client.folder, 'client/src/main'), '.java'),
      join(TOURS, 'Tour.java'),
    ];
    const output = ['-nowarn', '-encoding', 'UTF-8', '-d', 'classes'];
    generate(client.folder, 'javac', [...output, '-cp', JAVA_CLASS_PATH, ...sources]);
    await client.expectTour('java', ['-cp', `classes:${JAVA_CLASS_PATH}`, 'Tour']);
  });

  itWith('go')('a client of openapi-generator for Go runs', async () => {
    const properties = 'packageName=expenses,enumClassPrefix=true';
    const options = ['-g', 'go', '--additional-properties', properties, '-o', 'src/expenses'];
    generate(client.folder, 'java', [...OPENAPI_GENERATOR, ...options]);
    rmSync(join(client.folder, 'src/expenses/test'), { recursive: true });
    mkdirSync(join(client.folder, 'src/tour'));
    cpSync(join(TOURS, 'tour.go'), join(client.folder, 'src/tour/tour.go'));
    const env = {
      GOPATH: `${client.folder}:/usr/share/gocode`,
      GO111MODULE: 'off',
      GOCACHE: join(client.folder, 'cache'),
    };
    generate(client.folder, 'go', ['build', '-o', 'tour', 'tour'], env);
    await client.expectTour(join(client.folder, 'tour'), []);
  });
});
