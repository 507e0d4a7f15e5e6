import { describe, expect, it } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import type { ErrorBody } from '../../src/common/errors/error-body.js';
import type { Method } from '../support/client.js';
import { NOBODY } from '../support/one-of-everything.js';
import { operationsOf } from '../support/operations.js';
import { NO_LIMITS, useService } from '../support/service.js';

/** Where any other method than GET is a route too: to a 404. */
const PROBES = ['/health/live', '/health/ready'];

const PUBLIC = [
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  ...PROBES.map((path) => `GET ${path}`),
];

/** The rate limits of the routes that have others than `authenticated`. */
const POLICIES: Record<string, string[]> = {
  'POST /api/v1/auth/register': ['auth', 'auth-address'],
  'POST /api/v1/auth/login': ['auth', 'auth-address'],
  'PUT /api/v1/auth/me/password': ['authenticated', 'auth', 'auth-address'],
  'GET /api/v1/cycles/{cycle_id}/summary': ['authenticated', 'reports'],
  'GET /api/v1/reports/cycles-comparison': ['authenticated', 'reports'],
  'GET /health/live': [],
  'GET /health/ready': [],
};

interface Layer {
  route?: { path: string; stack: { method: Method }[] };
}

describe('every route', () => {
  const service = useService({
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 100 },
  });

  /** What the HTTP server really has beside the docs, named as in the OpenAPI document. */
  function routes(): string[] {
    const express = service.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    return express.router.stack
      .map(({ route }) => route)
      .filter((route) => route !== undefined)
      .filter(({ path }) => path !== '/docs' && !path.startsWith('/docs/'))
      .filter(({ path, stack }) => !(PROBES.includes(path) && stack.length > 1))
      .flatMap(({ path, stack }) =>
        stack.map(({ method }) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
      );
  }

  function call(route: string): Test {
    const [method = '', path = ''] = route.split(' ');
    const address = path.replaceAll(/\{\w+\}/g, NOBODY);
    return request(service.server)[method.toLowerCase() as Method](address);
  }

  it('demands a token unless it is on the short public list', async () => {
    const open: string[] = [];
    for (const route of routes()) {
      const { status } = await call(route);
      if (status !== 401) open.push(route);
    }
    expect(open.sort()).toEqual([...PUBLIC].sort());
  });

  it('is documented, and nothing else is', () => {
    const documented = operationsOf(service.app).map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    );
    expect(routes().sort()).toEqual(documented.sort());
  });

  it('has its rate limits', async () => {
    const { token = '' } = await service.signUp();
    const policies: Record<string, string[]> = {};
    for (const route of routes()) {
      policies[route] = policiesOf(await call(route).set('Authorization', `Bearer ${token}`));
    }
    const usual = Object.fromEntries(routes().map((route) => [route, ['authenticated']]));
    expect(policies).toEqual({ ...usual, ...POLICIES });
  });

  it('with a body refuses a field that it does not know', async () => {
    const { token = '' } = await service.signUp();
    for (const { method, path, body } of operationsOf(service.app)) {
      if (!body) continue;
      const sent = call(`${method} ${path}`).set('Authorization', `Bearer ${token}`);
      const response = await sent.type(body.type).send({ typo: 'x' });
      const { error } = response.body as ErrorBody;
      expect({ path, status: response.status, fields: error.details.fields }).toEqual({
        path,
        status: 422,
        fields: expect.objectContaining({ typo: [expect.any(String)] }),
      });
    }
  });
});

function policiesOf(response: Response): string[] {
  const header = response.get('RateLimit-Policy') ?? '';
  return [...header.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
}
