import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { ErrorBody } from '../../src/platform/errors/error-body.js';
import type { Service } from './service.js';

/** A request that is valid except for one value. */
export interface InvalidRequest {
  field: string;
  value: unknown;
  send: () => PromiseLike<Response>;
}

/** Expects each request to be refused for its field alone, and the database to be unchanged. */
export async function expectRefused(service: Service, requests: InvalidRequest[]): Promise<void> {
  const before = await databaseState(service);
  const results: object[] = [];
  for (const { field, value, send } of requests) {
    results.push({ field, value, ...summarize(field, await send()) });
  }
  // One comparison for all, so that a failure shows every value that was accepted.
  expect(results).toEqual(
    requests.map(({ field, value }) => ({
      field,
      value,
      status: 422,
      code: 'VALIDATION_ERROR',
      fields: [field],
    })),
  );
  expect(await databaseState(service)).toEqual(before);
}

/** The status, code and fields of an error; a path within the field counts as the field. */
function summarize(field: string, { status, body }: Response): object {
  const { error } = body as Partial<ErrorBody>;
  const paths = Object.keys(error?.details.fields ?? {});
  const fields = paths.map((path) => (path.startsWith(`${field}.`) ? field : path));
  return { status, code: error?.code, fields: [...new Set(fields)] };
}

/**
 * For every table the number of rows, and the sum of the transactions that wrote them, which grows
 * with each write.
 */
export async function databaseState(service: Service): Promise<unknown> {
  const tables = await service.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const selects = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*), sum(xmin::text::bigint) FROM "${name}"`,
  );
  return service.query(selects.join(' UNION ALL '));
}
