import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { STATUS_OF_CODE } from '../../src/errors/error-catalog.js';
import type { ErrorBody } from '../../src/platform/errors/error-body.js';
import { installTools, OPENAPI_DOCUMENT } from '../support/generated-clients.js';
import { Prism } from '../support/prism.js';

interface Operation {
  parameters?: { name: string; in: string; example?: string | number | boolean }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string }; example?: unknown }> };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object; oneOf?: { $ref: string }[] }> };
}

const { paths, components } = JSON.parse(readFileSync(OPENAPI_DOCUMENT, 'utf8')) as Document;

/** Every operation with each of its documented errors. */
const ERRORS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.keys(operation.responses)
      .filter((status) => !status.startsWith('2'))
      .map((status) => ({ path, method, operation, status: Number(status) })),
  ),
);

/** Statuses that also a `VALIDATION_ERROR` may have. */
const MALFORMED = [400, 408, 413, 415, 431];

describe('Prism as a mock server on the OpenAPI document', () => {
  let mock: Prism;

  beforeAll(installTools, 240_000);

  beforeAll(async () => {
    mock = await Prism.mock();
  });

  afterAll(() => mock.stop());

  /** Sends the example of a request, and asks for the response with a status. */
  async function respond({ path, method, operation, status }: (typeof ERRORS)[number]): Promise<{
    status: number;
    error: ErrorBody['error'];
  }> {
    const query = new URLSearchParams();
    let filled = path;
    for (const { name, in: location, example } of operation.parameters ?? []) {
      if (example === undefined) continue;
      if (location === 'path') filled = filled.replace(`{${name}}`, String(example));
      if (location === 'query') query.set(name, String(example));
    }
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const body =
      type === 'application/json'
        ? JSON.stringify(media?.example)
        : type === 'application/x-www-form-urlencoded'
          ? String(new URLSearchParams(media?.example as Record<string, string>))
          : (media?.example as string | undefined);
    const response = await fetch(`${mock.url}${filled}?${String(query)}`, {
      method: method.toUpperCase(),
      headers: {
        Authorization: 'Bearer token',
        Prefer: `code=${status}`,
        ...(type && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, error: ((await response.json()) as ErrorBody).error };
  }

  /** The names of the parameters and of the fields of the body. */
  function namesOf({ parameters = [], requestBody }: Operation): string[] {
    const schemaOf = (ref = ''): (typeof components.schemas)[string] | undefined =>
      components.schemas[ref.split('/').at(-1) ?? ''];
    const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref);
    const bodies = schemas
      .map(schemaOf)
      .flatMap((body) => body?.oneOf?.map(({ $ref }) => schemaOf($ref)) ?? [body]);
    return [
      ...parameters.map(({ name }) => name),
      ...bodies.flatMap((body) => Object.keys(body?.properties ?? {})),
    ];
  }

  it('Prism responds to every operation with each documented status and a code of that status', async () => {
    for (const each of ERRORS) {
      const name = `${each.method.toUpperCase()} ${each.path}`;
      const { status, error } = await respond(each);
      const isMalformed = error.code === 'VALIDATION_ERROR' && MALFORMED.includes(status);
      const statusOfCode = isMalformed ? status : STATUS_OF_CODE[error.code];
      expect({ name, status, statusOfCode }).toEqual({
        name,
        status: each.status,
        statusOfCode: each.status,
      });
    }
  }, 240_000);

  it('the 422 of Prism names parameters or fields that the operation has', async () => {
    for (const each of ERRORS.filter(({ status }) => status === 422)) {
      const name = `${each.method.toUpperCase()} ${each.path}`;
      const { error } = await respond(each);
      if (error.code !== 'VALIDATION_ERROR') continue;
      const { fields = {}, reasons = {} } = error.details as Record<
        string,
        Record<string, string[]>
      >;
      const isUnknown = (field: string): boolean => reasons[field]?.[0] === 'unknown_field';
      const named = Object.keys(fields).filter((field) => !isUnknown(field));
      const unknown = named.filter((field) => !namesOf(each.operation).includes(field));
      expect({ name, count: Object.keys(fields).length > 0, unknown }).toEqual({
        name,
        count: true,
        unknown: [],
      });
    }
  });
});
