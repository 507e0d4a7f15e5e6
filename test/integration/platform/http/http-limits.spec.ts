import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import request, { type Response } from 'supertest';
import { MAX_JSON_BYTES } from '../../../../src/platform/http/body-limits.js';
import { expectError } from '../../../support/errors.js';
import { operationsOf } from '../../../support/operations.js';
import { openSocket, parseResponses, receiveAll, sendRaw } from '../../../support/raw-http.js';
import { UNKNOWN_UUID } from '../../../support/sample-entities.js';
import { useService } from '../../../support/service.js';

const service = useService();
const port = (): number => (service.server.address() as AddressInfo).port;

describe('the size of a body', () => {
  it('the size of a body allows a comment of 10,000 characters, each sent as two escape sequences', async () => {
    const user = await service.signUp();
    const { id } = await user.createPaymentMethod();
    const text = '\\ud83d\\ude00'.repeat(10_000);
    const body = `{"entity_type": "payment_method", "entity_id": "${id}", "body": "${text}"}`;
    const response = await request(service.server)
      .post('/api/v1/comments')
      .set('Authorization', `Bearer ${user.token ?? ''}`)
      .set('Content-Type', 'application/json')
      .send(body)
      .expect(201);
    expect((response.body as { body: string }).body).toBe('😀'.repeat(10_000));
  });

  it('the size of a body is sufficient for every valid body of the document, with any characters', () => {
    interface Schema {
      type?: string;
      maxLength?: number;
      properties?: Record<string, Schema>;
    }
    const { components } = JSON.parse(
      readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
    ) as { components: { schemas: Record<string, Schema> } };
    const bytesOf = ({ properties = {} }: Schema): number =>
      Object.entries(properties).reduce(
        (sum, [name, { maxLength = 100 }]) => sum + 6 * name.length + 12 * maxLength + 8,
        2,
      );
    const bodies = Object.entries(components.schemas).filter(([name]) => name.endsWith('Dto'));
    expect(bodies.length).toBeGreaterThan(8);
    for (const [name, schema] of bodies) {
      expect({ name, fits: bytesOf(schema) <= MAX_JSON_BYTES }).toEqual({ name, fits: true });
    }
  });
});

describe('the error for unknown fields', () => {
  it.each([
    ['many fields', Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`unknown${n}`, n]))],
    ['a long name', { ['x'.repeat(80_000)]: 1 }],
    ['many prototype keys', { prototype: 1, name: { constructor: { ['y'.repeat(80_000)]: 1 } } }],
  ])('the error for unknown fields is short, for %s', async (_case, body) => {
    const user = await service.signUp();
    const response = await user.post('/payment-methods', body);
    expectError(response, 422, 'VALIDATION_ERROR');
    expect(response.text.length).toBeLessThan(10_000);
  });

  it('the error for unknown fields still names every refused field of the body', async () => {
    const user = await service.signUp();
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`a${n}`, n]));
    const response = await user.post('/payment-methods', unknown);
    const { error } = response.body as { error: { details: { fields: object; more: number } } };
    const { fields, more } = error.details;
    expect(Object.keys(fields)).toEqual(
      expect.arrayContaining(['name', 'method_type', 'default_currency', 'a0', 'a96']),
    );
    expect(Object.keys(fields)).toHaveLength(100);
    expect(more).toBe(103);
  });
});

describe('a path', () => {
  it.each([
    ['delete', '/api/v1/cycles', 'GET, HEAD, POST'],
    ['put', '/api/v1/auth/login', 'POST'],
    ['post', '/api/v1/cycles/1', 'GET, HEAD, PUT, DELETE'],
    ['post', '/health/live', 'GET, HEAD'],
  ] as const)('a path refuses %s %s and lists the allowed methods', async (method, path, allow) => {
    const response = await request(service.server)[method](path);
    expectError(response, 405, 'VALIDATION_ERROR');
    const methods = (text = ''): string[] => text.split(', ').sort();
    expect(methods(response.get('Allow'))).toEqual(methods(allow));
  });

  it('a path lists every method that it supports, and no other', async () => {
    const paths = new Set(operationsOf(service.app).map((operation) => operation.path));
    for (const path of [...paths, '/docs', '/api/v1']) {
      const responses = await Promise.all(
        (['get', 'head', 'post', 'put', 'patch', 'delete'] as const).map(async (method) => ({
          method: method.toUpperCase(),
          response: await request(service.server)[method](
            path.replaceAll(/\{\w+\}/g, UNKNOWN_UUID),
          ),
        })),
      );
      const isRefused = ({ response }: { response: Response }): boolean => response.status === 405;
      const supported = responses.filter((one) => !isRefused(one)).map(({ method }) => method);
      for (const { method, response } of responses.filter(isRefused)) {
        const allowed = (response.get('Allow') ?? '').split(', ');
        expect([method, path, [...new Set(allowed)].sort()]).toEqual([
          method,
          path,
          supported.sort(),
        ]);
        expect(new Set(allowed).size).toBe(allowed.length);
      }
    }
  });

  /** The methods of each path of the document. */
  function documentedMethods(): Map<string, Set<string>> {
    const methods = new Map<string, Set<string>>();
    for (const { path, method } of operationsOf(service.app)) {
      const ofPath = methods.get(path) ?? new Set();
      methods.set(path, ofPath.add(method.toUpperCase()));
      if (method === 'get') ofPath.add('HEAD');
    }
    return methods;
  }

  it.each([
    ['as it is', (path: string) => path],
    ['with a slash at the end', (path: string) => `${path}/`],
    ['in upper case', (path: string) => path.toUpperCase()],
  ])(
    'a path supports its own methods only, although it matches a path with a parameter: %s',
    async (_case, sent) => {
      const differences: string[] = [];
      for (const [path, methods] of documentedMethods()) {
        const filled = sent(path.replaceAll(/\{\w+\}/g, UNKNOWN_UUID));
        for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete'] as const) {
          const response = await request(service.server)[method](filled);
          const allowed = response.status === 405 ? response.get('Allow') : undefined;
          const expected = methods.has(method.toUpperCase())
            ? undefined
            : [...methods].sort().join();
          if (allowed?.split(', ').sort().join() !== expected) {
            differences.push(`${method} ${filled}: ${response.status} ${allowed}`);
          }
        }
      }
      expect(differences).toEqual([]);
    },
  );

  it('a path is checked for its method before the token, its limits and the body', async () => {
    const user = await service.signUp();
    for (const sent of [
      request(service.server).put('/api/v1/cycles/next').send({ name: 1 }),
      user.put('/cycles/next', { name: 1 }),
      user.send('put', '/cycles/preview').type('text/plain').send('x'),
      user.delete(`/cycles/${UNKNOWN_UUID}/expenses/import`),
    ]) {
      expectError(await sent, 405, 'VALIDATION_ERROR');
    }
    await user.get('/cycles/next').expect(200);
    await user.get('/cycles/not-an-id').expect(422);
  });

  it('a path without a route is not found, with any method', async () => {
    const response = await request(service.server).delete('/api/v1/nowhere');
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
  });

  it.each(['/', '/api/v1', '/api/v1/'])('%s redirects to the documentation', async (path) => {
    const response = await request(service.server).get(path).expect(302);
    expect(response.get('Location')).toBe('/docs');
  });
});

describe('the Host header', () => {
  it.each([
    ['a', 'b'],
    ['a', 'a'],
  ])('the Host header is refused if sent twice (%s, %s)', async (...hosts) => {
    const lines = ['GET /health/live HTTP/1.1', ...hosts.map((host) => `Host: ${host}`)];
    const received = await sendRaw(port(), [...lines, 'Connection: close', '', ''].join('\r\n'));
    expect(parseResponses(received).map(({ status }) => status)).toEqual([400]);
  });
});

/** Those of one client that fit into its memory while they wait, with little more than a Host header. */
const MAX_WAITING = Math.floor(4_000_000 / (4096 + 'Hostx'.length));

describe('a connection with pipelined requests', () => {
  const bundle = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';

  it('a connection with pipelined requests gets the responses in order, one request at a time', async () => {
    const get = (id: number, last = ''): string =>
      `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Request-Id: n${id}\r\n${last}\r\n`;
    const count = 100;
    const requests = Array.from({ length: count }, (_, id) =>
      get(id, id === count - 1 ? 'Connection: close\r\n' : ''),
    );
    const responses = parseResponses(await sendRaw(port(), requests.join('')));
    expect(responses.map(({ headers }) => headers['x-request-id'])).toEqual(
      requests.map((_, id) => `n${id}`),
    );
  });

  it('a connection with pipelined requests is closed beyond the memory for pipelined requests', async () => {
    const received = await sendRaw(port(), bundle.repeat(1200)).catch(() => '');
    expect(received.length).toBeLessThan(50 * 1024 * 1024);
    await request(service.server).get('/health/live').expect(200);
  });

  it('a connection with pipelined requests costs no work for the requests beyond the limit', async () => {
    let requests = 0;
    const count = (): unknown => (requests += 1);
    service.server.on('request', count);
    const get = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    await sendRaw(port(), get.repeat(1364));
    service.server.off('request', count);
    expect(requests).toBe(MAX_WAITING + 2);
    await request(service.server).get('/health/live').expect(200);
  });

  it('a connection with pipelined requests gets the complete response after a pause in reading', async () => {
    const pausing = await openSocket(port());
    pausing.pause();
    pausing.write(bundle.repeat(3) + bundle.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await setTimeout(300);
    const responses = parseResponses(await receiveAll(pausing.resume()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('the documentation', () => {
  it.each([
    'package.json',
    'PACKAGE.JSON',
    'swagger-ui.css.map',
    'swagger-ui-es-bundle.js',
    'index.js',
  ])('the documentation does not serve %s of Swagger UI', async (file) => {
    const response = await request(service.server).get(`/docs/${file}`);
    expectError(response, 404, 'RESOURCE_NOT_FOUND', { resource: 'route' });
  });

  it('the documentation serves the files that its page links', async () => {
    const page = await request(service.server).get('/docs').expect(200);
    const links = [...page.text.matchAll(/(?:href|src)="\.(\/docs\/[^"]+)"/g)];
    expect(links.length).toBeGreaterThan(3);
    for (const [, path = ''] of links) await request(service.server).get(path).expect(200);
  });
});
