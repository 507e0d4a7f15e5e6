import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { createOpenApiDocument } from '../../src/docs/openapi.js';
import { useService } from '../support/service.js';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  example?: unknown;
}

interface Media {
  schema: Schema;
  examples?: Record<string, { $ref: string }>;
}

interface Operation {
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: unknown }>;
    responses: Record<string, { description: string; content?: Record<string, Media> }>;
  };
}

describe('the OpenAPI document', () => {
  const service = useService();

  const document = (): Document =>
    JSON.parse(JSON.stringify(createOpenApiDocument(service.app))) as Document;

  const operations = (): [string, Operation][] =>
    Object.entries(document().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );

  /** What of an example is not as its schema says. */
  function mistakes(): (schema: Schema, example: unknown) => string[] {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'openapi', components: document().components });
    return (schema, example) => {
      const absolute = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
      const validate = ajv.compile(JSON.parse(absolute) as object);
      return validate(example) ? [] : [ajv.errorsText(validate.errors)];
    };
  }

  it('is the one in the repository; write it anew with npm run openapi', () => {
    const file = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(document()).toEqual(JSON.parse(file));
  });

  it('is served without a token, as is Swagger UI', async () => {
    const served = await request(service.server).get('/docs/openapi.json').expect(200);
    expect((served.body as { openapi: string }).openapi).toMatch(/^3\./);
    const page = await request(service.server).get('/docs').expect(200);
    expect(page.text).toContain('swagger-ui');
  });

  it('gives every operation a summary, its rules, a success and its failures', () => {
    for (const [name, { summary, description, responses }] of operations()) {
      expect({ name, summary, description }).toEqual({
        name,
        summary: expect.stringMatching(/./),
        description: expect.stringMatching(/\w \w.*\./),
      });
      const statuses = Object.keys(responses);
      expect({ name, statuses }).toEqual({ name, statuses: expect.arrayContaining(['500']) });
      expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    }
  });

  it('names the codes of every failure and shows each', () => {
    const mistakesOf = mistakes();
    const { examples: shown, responses: shared } = document().components;
    for (const [name, { responses }] of operations()) {
      for (const [status, { $ref }] of Object.entries(responses)) {
        if (status.startsWith('2')) continue;
        const { description, content } = shared[$ref?.split('/').at(-1) ?? ''] ?? {};
        const media = content?.['application/json'];
        const examples = Object.entries(media?.examples ?? {});
        expect({ name, status, codes: examples.map(([code]) => code).join(', ') }).toEqual({
          name,
          status,
          codes: description,
        });
        for (const [code, example] of examples) {
          expect(example.$ref).toBe(`#/components/examples/${code}`);
          const found = mistakesOf(media?.schema ?? {}, shown[code]?.value);
          expect({ name, status, code, found }).toEqual({ name, status, code, found: [] });
        }
      }
    }
  });

  it('describes every parameter, with the example of a path', () => {
    for (const [name, { parameters = [] }] of operations()) {
      for (const parameter of parameters) {
        const isDescribed =
          Boolean(parameter.description) ||
          'default' in parameter.schema ||
          '$ref' in parameter.schema;
        expect({ name, parameter: parameter.name, isDescribed }).toEqual({
          name,
          parameter: parameter.name,
          isDescribed: true,
        });
        if (parameter.in === 'path') expect(parameter.schema.example).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
  });

  it('shows a right example of every field', () => {
    const mistakesOf = mistakes();
    const found: string[] = [];
    for (const [schemaName, { properties = {} }] of Object.entries(document().components.schemas)) {
      for (const [property, schema] of Object.entries(properties)) {
        const name = `${schemaName}.${property}`;
        if (schema.example !== undefined) {
          found.push(...mistakesOf(schema, schema.example).map((mistake) => `${name} ${mistake}`));
        } else if (!schema.$ref && !schema.items?.$ref && !schema.allOf) {
          found.push(`${name} has no example`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('demands a token wherever the service does', () => {
    const open = operations()
      .filter(([, { security }]) => security === undefined)
      .map(([name]) => name);
    expect(open.sort()).toEqual([
      'GET /health/live',
      'GET /health/ready',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/register',
    ]);
  });

  it('says which bodies refuse what they do not know: all', () => {
    const { schemas } = document().components;
    for (const [name, { requestBody }] of operations()) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        const body = schemas[schema.$ref?.split('/').at(-1) ?? ''];
        expect({ name, body }).toEqual({
          name,
          body: expect.objectContaining({ additionalProperties: false }),
        });
      }
    }
  });
});
