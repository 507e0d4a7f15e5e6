import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { rulesOf } from '../../clients/typescript/src/rules.js';

interface Operation {
  parameters?: { name?: string }[];
  responses: Record<string, { headers?: object }>;
  security?: object[];
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> };

const operations = Object.entries(paths)
  .filter(([path]) => /^\/(api\/v1|account)(\/|$)/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      operation,
    })),
  );

/** Operations that write nothing, or are refused by the service when they are sent again. */
const POSTS_WITHOUT_A_KEY = [
  'POST /account/password-reset',
  'POST /account/password-reset/confirm',
  'POST /account/reminders/confirm',
  'POST /account/reminders/unsubscribe',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/refresh',
  'POST /auth/register',
  'POST /auth/tokens',
];

describe('the rules of the TypeScript client', () => {
  it('each POST that takes an Idempotency-Key in the document gets one from the TypeScript client', () => {
    const takesKey = operations.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(takesKey.length).toBeGreaterThan(10);
    for (const { name } of takesKey) {
      expect({ name, ...rulesOf(name) }).toMatchObject({
        name,
        takesKey: true,
        isRepeatable: true,
      });
    }
    const others = operations.map(({ name }) => name).filter((name) => !rulesOf(name).takesKey);
    const posts = others.filter((name) => name.startsWith('POST '));
    expect(posts.sort()).toEqual(POSTS_WITHOUT_A_KEY);
  });

  it('the TypeScript client sends a token where the document requires one', () => {
    for (const { name, operation } of operations) {
      const isPublic = operation.security?.length === 0;
      expect({ name, isPublic: rulesOf(name).token === 'none' }).toEqual({ name, isPublic });
    }
  });
});
