import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import request, { type Response, type Test } from 'supertest';
import { IdempotencyInterceptor } from '../../../src/idempotency/idempotency.interceptor.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import { BodyInterceptor } from '../../../src/platform/http/body.interceptor.js';
import type { Method } from '../../support/client.js';
import { sampleDocument } from '../../support/data-document.js';
import { operationsOf } from '../../support/operations.js';
import { CLOSING_DATE, createSampleEntities, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { NO_LIMITS, useService } from '../../support/service.js';

/**
 * Routes outside the prefix. They also have a route for all other methods, which responds with an
 * error.
 */
const OUTSIDE_THE_PREFIX = {
  GET: [
    ...['/health/live', '/health/ready', '/calendar/:token.ics'],
    ...['/account', '/account/reminders/unsubscribe'],
  ],
  POST: [
    ...['/account/password-reset', '/account/password-reset/confirm'],
    ...['/account/reminders/confirm', '/account/reminders/unsubscribe', '/mcp'],
  ],
};

/** Its protocol describes itself. */
const UNDOCUMENTED = 'POST /mcp';

const isOutsideThePrefix = (path: string): boolean =>
  Object.values(OUTSIDE_THE_PREFIX).some((paths) => paths.includes(path));

const PUBLIC_ROUTES = [
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  ...Object.entries(OUTSIDE_THE_PREFIX)
    .flatMap(([method, paths]) =>
      paths.map((path) => `${method} ${path.replace(':token', '{token}')}`),
    )
    .filter((route) => route !== UNDOCUMENTED),
];

/** The rate limits of routes that do not have exactly `authenticated`. */
const POLICIES: Record<string, string[]> = {
  'POST /api/v1/auth/register': ['auth-address', 'auth'],
  'POST /api/v1/auth/login': ['auth-address', 'auth'],
  'POST /account/password-reset': ['auth-address', 'auth'],
  'POST /account/password-reset/confirm': ['auth-address', 'auth'],
  'POST /account/reminders/confirm': ['auth-address', 'auth'],
  'GET /account/reminders/unsubscribe': ['auth-address'],
  'POST /account/reminders/unsubscribe': ['auth-address'],
  'GET /account': [],
  'PUT /api/v1/auth/me/password': ['auth-address', 'auth', 'authenticated'],
  'GET /api/v1/cycles/{cycle_id}/summary': ['authenticated', 'reports'],
  'GET /api/v1/reports/budgets': ['authenticated', 'reports'],
  'GET /api/v1/reports/cycles-comparison': ['authenticated', 'reports'],
  'GET /api/v1/reports/variance': ['authenticated', 'reports'],
  'POST /api/v1/forecast': ['authenticated', 'reports'],
  'GET /api/v1/export': ['authenticated', 'reports'],
  'POST /api/v1/import': ['authenticated', 'reports'],
  'GET /calendar/{token}.ics': [],
  'GET /health/live': [],
  'GET /health/ready': [],
};

/** Paths that redirect to the documentation. */
const REDIRECTED_PATHS = ['/', '/api/v1'];

interface Layer {
  /** A handler without a method refuses the methods that the path does not support. */
  route?: { path: string; stack: { method?: Method }[] };
}

describe('every route', () => {
  const service = useService({
    rateLimits: { ...NO_LIMITS, enabled: true, authPerMinute: 100 },
  });

  /** The routes of the HTTP server except the documentation, named as in the OpenAPI document. */
  function routes(): string[] {
    const express = service.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    return express.router.stack
      .map(({ route }) => route)
      .filter((route) => route !== undefined)
      .filter(({ path }) => path !== '/docs' && !path.startsWith('/docs/'))
      .filter(({ path }) => !REDIRECTED_PATHS.includes(path))
      .filter(({ path, stack }) => !(isOutsideThePrefix(path) && stack.length > 1))
      .flatMap(({ path, stack }) =>
        stack
          .map(({ method }) => method)
          .filter((method) => method !== undefined)
          .map((method) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
      );
  }

  /** The methods of the controllers with their interceptors, the outermost first. */
  function handlers(): { name: string; method: string; interceptors: unknown[] }[] {
    const modules = [...service.app.get(ModulesContainer).values()];
    return modules
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap(({ metatype }) =>
        Object.values(Object.getOwnPropertyDescriptors(metatype?.prototype)),
      )
      .map(({ value }) => value as { name: string })
      .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
      .map((handler) => ({
        name: handler.name,
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '',
        interceptors: (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[],
      }));
  }

  function call(route: string): Test {
    const [method = '', path = ''] = route.split(' ');
    const address = path
      .replaceAll('{closing_date}', CLOSING_DATE)
      .replaceAll(/\{\w+\}/g, UNKNOWN_UUID);
    return request(service.server)[method.toLowerCase() as Method](address);
  }

  it('every route requires a token unless it is on the public list', async () => {
    const open: string[] = [];
    for (const route of routes()) {
      const { status } = await call(route);
      if (status !== 401) open.push(route);
    }
    expect(open.sort()).toEqual([...PUBLIC_ROUTES].sort());
  });

  it('every route is documented, and no other route is', () => {
    const documented = operationsOf(service.app).map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    );
    expect(routes().sort()).toEqual([...documented, UNDOCUMENTED].sort());
  });

  it('every route has the expected rate limits', async () => {
    const { token = '' } = await service.signUp();
    const policies: Record<string, string[]> = {};
    const logout = 'POST /api/v1/auth/logout';
    // It ends the session of the token, so it is called last.
    for (const route of [...routes().filter((other) => other !== logout), logout]) {
      policies[route] = policiesOf(await call(route).set('Authorization', `Bearer ${token}`));
    }
    const defaults = Object.fromEntries(routes().map((route) => [route, ['authenticated']]));
    expect(policies).toEqual({ ...defaults, ...POLICIES });
  });

  it('every route that writes reads its body by one interceptor, and takes a key after all other interceptors', () => {
    const readers: Record<string, number> = {};
    const misplaced: string[] = [];
    for (const { name, method, interceptors } of handlers()) {
      const isWrite = ['POST', 'PUT', 'PATCH'].includes(method);
      const found = interceptors.filter((one) => one instanceof BodyInterceptor).length;
      if (found !== (isWrite ? 1 : 0)) readers[name] = found;
      const place = interceptors.indexOf(IdempotencyInterceptor);
      if (place >= 0 && place !== interceptors.length - 1) misplaced.push(name);
    }
    // What a mail application sends is not read.
    expect({ readers, misplaced }).toEqual({ readers: { endReminders: 0 }, misplaced: [] });
  });

  it('every route accepts an idempotency key if it is an authenticated POST that writes, and rejects an invalid one', async () => {
    const { token = '' } = await service.signUp();
    const withoutWrites = ['cycles/preview', 'occurrences', 'forecast'].map(
      (path) => `POST /api/v1/${path}`,
    );
    for (const route of routes().filter((one) => one.startsWith('POST'))) {
      const takesNoKey = /^POST (\/api\/v1\/auth|\/account)\//.test(route);
      if (takesNoKey || [...withoutWrites, UNDOCUMENTED].includes(route)) continue;
      const request = call(route)
        .set('Authorization', `Bearer ${token}`)
        .set('Idempotency-Key', 'not valid');
      // The document of an import is checked before the key.
      const response = await (route === 'POST /api/v1/import'
        ? request.send(sampleDocument())
        : request);
      const { error } = response.body as ErrorBody;
      expect({ route, status: response.status, fields: error.details.fields }).toEqual({
        route,
        status: 422,
        fields: { 'Idempotency-Key': [expect.any(String)] },
      });
    }
  });

  it('every route has an ETag if it reads a single entity, whose writes accept If-Match', async () => {
    const { user, fill } = await createSampleEntities(service);
    const names = routes().map((route) => route.replace('/api/v1', ''));
    const single = names.filter((name) => /^GET .*\{\w+\}$/.test(name));
    expect(single).toHaveLength(9);
    for (const path of [...single.map((name) => name.slice('GET '.length)), '/comments/{id}']) {
      if (single.includes(`GET ${path}`)) {
        const { headers } = await user.get(fill(path)).expect(200);
        expect({ path, etag: headers.etag }).toEqual({
          path,
          etag: expect.stringMatching(/^"[\w-]+"$/),
        });
      }
      for (const method of ['put', 'patch', 'delete'] as const) {
        if (!names.includes(`${method.toUpperCase()} ${path}`)) continue;
        const bodies = { put: {}, patch: { body: 'Changed' }, delete: undefined };
        const sent = user.send(method, fill(path)).set('If-Match', '"other"').send(bodies[method]);
        expect({ method, path, status: (await sent).status }).toEqual({
          method,
          path,
          status: 412,
        });
      }
    }
  });

  it('every route that writes refuses an unknown field, also if it takes no body', async () => {
    const { token = '' } = await service.signUp();
    for (const { method, path, body } of operationsOf(service.app)) {
      // A file has columns instead of fields.
      if (['get', 'delete'].includes(method) || body?.type === 'text/csv') continue;
      // Mail applications send any body, which is not read.
      if (path === '/account/reminders/unsubscribe') continue;
      const sent = call(`${method} ${path}`).set('Authorization', `Bearer ${token}`);
      const response = await sent.type(body?.type ?? 'application/json').send({ typo: 'x' });
      const { error } = response.body as ErrorBody;
      expect({ path, status: response.status, fields: error.details.fields }).toEqual({
        path,
        status: 422,
        fields: expect.objectContaining({ typo: [expect.any(String)] }),
      });
      if (body) continue;
      const list = await call(`${method} ${path}`).set('Authorization', `Bearer ${token}`).send([]);
      expect({ path, status: list.status }).toEqual({ path, status: 422 });
    }
  });
});

function policiesOf(response: Response): string[] {
  const header = response.get('RateLimit-Policy') ?? '';
  return [...header.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
}
