import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import type { ChangesResponse } from '../../../src/changes/dto/changes.dto.js';
import { documentOf } from '../../support/operations.js';
import { strictSchema } from '../../support/response-contract.js';
import { createSampleEntities } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

/** Those of parameters that are no UUIDs. */
const EXAMPLES_IN_PATHS: Record<string, RegExp> = {
  token: /^[\w-]{43}$/,
  closing_date: /^\d{4}-\d\d-\d\d$/,
};

interface Schema {
  $ref?: string;
  description?: string;
  deprecated?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  example?: unknown;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    schema: Schema;
  }[];
  tags?: string[];
  requestBody?: { description?: string; content: Record<string, Media> };
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, Media> }
  >;
}

interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: unknown }>;
    responses: Record<string, { description: string; content?: Record<string, Media> }>;
  };
}

describe('the OpenAPI document', () => {
  const service = useService();

  const document = (): Document => JSON.parse(JSON.stringify(documentOf(service.app))) as Document;

  const operations = (): [string, Operation][] =>
    Object.entries(document().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );

  /** Returns a function that lists the violations of a schema in an example. */
  function createValidator(): (schema: Schema, example: unknown) => string[] {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'openapi', components: strictSchema(document().components) });
    return (schema, example) => {
      const absolute = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
      const validate = ajv.compile(strictSchema(JSON.parse(absolute)) as object);
      return validate(example) ? [] : [ajv.errorsText(validate.errors)];
    };
  }

  it('the OpenAPI document equals the file in the repository; update it with npm run openapi', () => {
    const file = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(document()).toEqual(JSON.parse(file));
  });

  it('the OpenAPI document is served without a token, as is Swagger UI', async () => {
    const served = await request(service.server).get('/docs/openapi.json').expect(200);
    expect((served.body as { openapi: string }).openapi).toMatch(/^3\./);
    const page = await request(service.server).get('/docs').expect(200);
    expect(page.text).toContain('swagger-ui');
  });

  it('the OpenAPI document has a summary, a description, one success and the errors of every operation', () => {
    for (const [name, { summary, description, responses }] of operations()) {
      expect({ name, summary, description }).toEqual({
        name,
        summary: expect.stringMatching(/./),
        description: expect.stringMatching(/\w \w.*\./),
      });
      const statuses = Object.keys(responses);
      expect({ name, statuses }).toEqual({
        name,
        statuses: expect.arrayContaining(['400', '431', '500']),
      });
      expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    }
  });

  it('the OpenAPI document has a unique operation id of verb and noun, the name of the generated function', () => {
    const ids = operations().map(([, { operationId }]) => operationId ?? '');
    const verbs = [
      ...[
        'get',
        'list',
        'search',
        'create',
        'update',
        'delete',
        'check',
        'close',
        'compare',
        'compute',
      ],
      ...['change', 'end', 'export', 'import', 'preview', 'propose', 'refresh', 'register'],
      ...['carry', 'confirm', 'reprice', 'request', 'revoke', 'sync', 'undo'],
    ];
    const form = new RegExp(`^(logIn|logOut|(${verbs.join('|')})([A-Z][a-z]+)+)$`);
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the OpenAPI document lists the error codes of every operation, with an example of each', () => {
    const violationsOf = createValidator();
    const { examples: shown, responses: shared } = document().components;
    for (const [name, { responses }] of operations()) {
      for (const [status, { $ref }] of Object.entries(responses)) {
        if (status.startsWith('2')) continue;
        const { description, content } = shared[$ref?.split('/').at(-1) ?? ''] ?? {};
        const media = content?.['application/json'];
        const examples = Object.entries(media?.examples ?? {});
        // An example is named after its code, with a suffix if the code has several, also in one
        // response.
        const codes = [...new Set(examples.map(([example]) => example.split('.')[0]))].join(', ');
        expect({ name, status, codes }).toEqual({ name, status, codes: description });
        for (const [example, { $ref: reference }] of examples) {
          expect(reference).toBe(`#/components/examples/${example}`);
          const found = violationsOf(media?.schema ?? {}, shown[example]?.value);
          expect({ name, status, example, found }).toEqual({ name, status, example, found: [] });
        }
      }
    }
  });

  it('the OpenAPI document describes every parameter, with examples for paths', () => {
    for (const [name, { parameters = [] }] of operations()) {
      for (const parameter of parameters) {
        expect({ operation: name, ...parameter }).toEqual(
          expect.objectContaining({
            name: parameter.name,
            description: expect.stringMatching(/\w/),
          }),
        );
        const example = EXAMPLES_IN_PATHS[parameter.name] ?? /^[0-9a-f-]{36}$/;
        if (parameter.in === 'path') expect(parameter.schema.example).toMatch(example);
      }
    }
  });

  it('the OpenAPI document declares and describes every tag', () => {
    const { tags } = document();
    const used = operations().flatMap(([, operation]) => operation.tags ?? []);
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('the OpenAPI document describes every success, and every body that may be empty', () => {
    const { schemas } = document().components;
    for (const [name, { requestBody, responses }] of operations()) {
      for (const [status, { description }] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue;
        expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\w/) });
      }
      const schema = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
      const body = schemas[schema];
      if (!body || body.required || body.oneOf) continue;
      expect({ name, text: requestBody?.description }).toEqual({
        name,
        text: expect.stringContaining('May be `{}`'),
      });
    }
  });

  it('the OpenAPI document describes every schema and every field', () => {
    const undescribed = Object.entries(document().components.schemas).flatMap(
      ([name, { description, properties = {} }]) => [
        ...(description ? [] : [name]),
        ...Object.entries(properties)
          .filter(([, field]) => !field.description)
          .map(([field]) => `${name}.${field}`),
      ],
    );
    expect(undescribed).toEqual([]);
  });

  it('the OpenAPI document marks the balance that a new cycle accepts and ignores as deprecated', () => {
    const deprecated = Object.entries(document().components.schemas).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, field]) => field.deprecated)
          .map(([field]) => `${name}.${field}`),
    );
    expect(deprecated.sort()).toEqual([
      'CreateCycleDto.remaining_balance',
      'PreviewCycleDto.remaining_balance',
    ]);
  });

  it('the OpenAPI document has a valid example for every field', () => {
    const violationsOf = createValidator();
    const found: string[] = [];
    for (const [schemaName, { properties = {} }] of Object.entries(document().components.schemas)) {
      for (const [property, schema] of Object.entries(properties)) {
        const name = `${schemaName}.${property}`;
        if (schema.example !== undefined) {
          found.push(
            ...violationsOf(schema, schema.example).map((violation) => `${name} ${violation}`),
          );
        } else if (!schema.$ref && !schema.items?.$ref && !schema.allOf) {
          found.push(`${name} has no example`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('the OpenAPI document has a valid example of every body of a request or success', () => {
    const violationsOf = createValidator();
    for (const [name, { requestBody, responses }] of operations()) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const contents = [requestBody?.content, ...successes.map(([, { content }]) => content)];
      for (const { schema, example } of contents.flatMap((content = {}) =>
        Object.values(content),
      )) {
        expect({ name, example }).toEqual({ name, example: expect.anything() });
        expect({ name, found: violationsOf(schema, example) }).toEqual({ name, found: [] });
      }
    }
  });

  it('the OpenAPI document has only schemas that all generators of clients understand', () => {
    const { schemas } = document().components;
    const named = new Set(Object.values(schemas));
    const found: string[] = [];
    const visit = (path: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, oneOf, anyOf, allOf, enum: values = [] } = value as Schema;
      if (properties && (oneOf ?? anyOf ?? allOf)) found.push(`${path}: fields beside a union`);
      if (values.includes(null)) found.push(`${path}: null among the values`);
      if (values.length > 1 && !named.has(value)) found.push(`${path}: values without a name`);
      for (const [key, inner] of Object.entries(value)) {
        if (!key.startsWith('example')) visit(`${path}/${key}`, inner);
      }
    };
    visit('', { schemas, operations: operations() });
    expect(found).toEqual([]);
    const names = Object.keys(schemas);
    expect(names.filter((name) => /^New.*Response$|^ValidationError$/.test(name))).toEqual([]);
  });

  it('the OpenAPI document documents money in requests as text only', () => {
    const money = Object.entries(document().components.schemas).flatMap(
      ([schema, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([name]) => /^(base_)?amount$|^income_amount$/.test(name))
          .map(([name, { type }]) => ({ name: `${schema}.${name}`, type })),
    );
    expect(money.length).toBeGreaterThan(20);
    expect(money.filter(({ type }) => type !== 'string')).toEqual([]);
  });

  it('the OpenAPI document lets what is free be 0.00, and not less', () => {
    const violations = createValidator();
    const { free = {} } = document().components.schemas.PayWindowResponse?.properties ?? {};
    expect(violations(free, '0.00')).toEqual([]);
    expect(violations(free, '-0.01')).toEqual([expect.stringContaining('pattern')]);
  });

  it('the OpenAPI document ties the config of a recurrence to its type in every schema that has both', () => {
    const violationsOf = createValidator();
    const configs: Record<string, object> = {
      weekly: { day_of_week: 6 },
      bi_weekly: { interval_days: 14 },
      monthly: { day_of_month: 15 },
      custom: { interval: 3, unit: 'months' },
    };
    const pairs = Object.keys(configs).flatMap((type) =>
      Object.entries(configs).map(([typeOfConfig, config]) => ({ type, typeOfConfig, config })),
    );
    const { schemas: all } = document().components;
    const schemas = Object.entries(all).filter(
      ([, { discriminator }]) => discriminator?.propertyName === 'recurrence_type',
    );
    expect(schemas.map(([name]) => name).sort()).toEqual([
      'ComputeOccurrencesDto',
      'CreateExpenseTemplateDto',
      'CreateIncomeTemplateDto',
      'ExpenseTemplateResponse',
      'ExpenseTemplateRow',
      'IncomeTemplateResponse',
      'IncomeTemplateRow',
    ]);
    for (const [name, { oneOf = [] }] of schemas) {
      const variants = oneOf.map(({ $ref }) => all[$ref?.split('/').at(-1) ?? '']);
      for (const { type, typeOfConfig, config } of pairs) {
        const example = { recurrence_type: type, recurrence_config: config };
        const isValid = variants.some(
          ({ properties: { recurrence_type = {}, recurrence_config = {} } = {} } = {}) =>
            violationsOf(recurrence_type, example.recurrence_type).length === 0 &&
            violationsOf(recurrence_config, example.recurrence_config).length === 0,
        );
        expect({ name, type, typeOfConfig, isValid }).toEqual({
          name,
          type,
          typeOfConfig,
          isValid: type === typeOfConfig,
        });
      }
    }
  });

  it('the OpenAPI document ties the representation of a change to its type', async () => {
    const violationsOf = createValidator();
    const { user } = await createSampleEntities(service);
    const { changes } = (await user.get('/changes').expect(200)).body as ChangesResponse;
    const { oneOf, discriminator } = document().components.schemas.ChangeResponse ?? {};
    expect(discriminator?.propertyName).toBe('entity_type');
    const types = changes.map(({ entity_type }) => entity_type);
    expect([...new Set(types)].sort()).toEqual(Object.keys(discriminator?.mapping ?? {}).sort());
    for (const entity_type of types) {
      const isValid = (representation: unknown): boolean =>
        violationsOf({ oneOf }, { ...changes[0], entity_type, representation }).length === 0;
      expect(isValid(null)).toBe(true);
      for (const other of changes) {
        const valid = isValid(other.representation);
        expect({ entity_type, of: other.entity_type, valid }).toEqual({
          entity_type,
          of: other.entity_type,
          valid: entity_type === other.entity_type,
        });
      }
    }
  });

  it('the OpenAPI document requires a token where the service does', () => {
    const open = operations()
      .filter(([, { security }]) => security?.length === 0)
      .map(([name]) => name);
    expect(open.sort()).toEqual([
      'GET /account',
      'GET /account/reminders/unsubscribe',
      'GET /calendar/{token}.ics',
      'GET /health/live',
      'GET /health/ready',
      'POST /account/password-reset',
      'POST /account/password-reset/confirm',
      'POST /account/reminders/confirm',
      'POST /account/reminders/unsubscribe',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/register',
    ]);
  });

  it('the OpenAPI document forbids additional properties in every request body', () => {
    const { schemas } = document().components;
    for (const [name, { requestBody }] of operations()) {
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        // A file has columns instead of properties.
        if (type === 'text/csv') continue;
        const body = schemas[schema.$ref?.split('/').at(-1) ?? ''];
        const objects = body?.oneOf?.map(({ $ref }) => schemas[$ref?.split('/').at(-1) ?? '']);
        for (const object of objects ?? [body]) {
          expect({ name, object }).toEqual({
            name,
            object: expect.objectContaining({ additionalProperties: false }),
          });
        }
      }
    }
  });
});
