import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import request from 'supertest';
import type { CreatedCalendarFeedResponse } from '../../src/calendar/dto/calendar-feed.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { TEST_PASSWORD } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { freePort } from '../support/ports.js';
import { Nginx } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

/** The configuration in docs/operations.md. */
const [, SITE = ''] =
  /^```nginx\n([^]*?)^```$/m.exec(readFileSync(resolve('docs/operations.md'), 'utf8')) ?? [];

const IS_ROOT = process.getuid?.() === 0;

const siteWith = (ports: { nginx: number; service: number }): string =>
  SITE.replace('listen 80;', `listen ${ports.nginx};`).replace(':3000 ', `:${ports.service} `);

describe.each([['a plain user', false], ...(IS_ROOT ? ([['root', true]] as const) : [])] as const)(
  'nginx run by %s',
  (name, isRunByRoot) => {
    const { start } = useProcesses(() => ({}), 'file');
    let service: ServiceProcess;
    let nginx: Nginx;
    /** What clients see: the address of the prefix. */
    let url: string;
    let token: string;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}/gastos`;
      service = await start({ PUBLIC_URL: url, TRUST_PROXY: '1' });
      const ports = { nginx: port, service: Number(new URL(service.origin).port) };
      nginx = await Nginx.start(siteWith(ports), port, isRunByRoot);
      token = await signIn();
    });

    afterAll(() => nginx.remove());

    /** Registers a user and signs in. */
    async function signIn(): Promise<string> {
      const account = { email: 'ana@example.com', password: TEST_PASSWORD };
      await request(url).post('/api/v1/auth/register').send(account).expect(201);
      const form = { username: account.email, password: account.password };
      const response = await request(url).post('/api/v1/auth/login').type('form').send(form);
      expect(response.status).toBe(200);
      return (response.body as { access_token: string }).access_token;
    }

    const send = (
      method: 'get' | 'post' | 'put',
      path: string,
      headers: Record<string, string> = {},
    ): request.Test =>
      request(url)
        [method](`/api/v1${path}`)
        .set({ Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip', ...headers });

    let lastName = 0;

    async function createPaymentMethod(): Promise<PaymentMethodResponse> {
      const body = { name: `Card ${++lastName}`, method_type: 'debit', default_currency: 'USD' };
      const response = await send('post', '/payment-methods').send(body).expect(201);
      return response.body as PaymentMethodResponse;
    }

    const rename = ({ id }: PaymentMethodResponse, newName: string, tag: string): request.Test =>
      send('put', `/payment-methods/${id}`, { 'If-Match': tag }).send({ name: newName });

    it(`nginx run by ${name} leads to the next page of a list`, async () => {
      const { id } = await createPaymentMethod();
      for (const body of ['one', 'two', 'three']) {
        const comment = { entity_type: 'payment_method', entity_id: id, body };
        await send('post', '/comments').send(comment).expect(201);
      }
      const read: string[] = [];
      let next: string | undefined =
        `${url}/api/v1/comments?entity_type=payment_method&entity_id=${id}&limit=1`;
      while (next !== undefined) {
        const response = await fetch(next, { headers: { Authorization: `Bearer ${token}` } });
        expect(response.status).toBe(200);
        for (const { body } of (await response.json()) as { body: string }[]) read.push(body);
        const link = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
        next = link && new URL(link, next).href;
      }
      expect(read).toEqual(['three', 'two', 'one']);
    });

    it(`nginx run by ${name} accepts the link to the next page of the longest search`, async () => {
      const cycle = { name: 'Long', start_date: '2026-01-19', end_date: '2026-03-01' };
      const created = await send('post', '/cycles').send({ ...cycle, income_amount: '1.00' });
      const { id: cycleId } = created.body as { id: string };
      const { id } = await createPaymentMethod();
      const description = '💰'.repeat(100);
      for (const amount of ['1.00', '2.00', '3.00']) {
        const expense = { description, amount, currency: 'USD', category: 'variable' };
        await send('post', `/cycles/${cycleId}/expenses`)
          .send({ ...expense, payment_method_id: id, due_date: '2999-02-01' })
          .expect(201);
      }
      const query = new URLSearchParams({
        ...{ q: description, status: 'pending', category: 'variable', currency: 'USD' },
        ...{ payment_method_id: id, budget_id: 'none', from: '2026-01-01', to: '2999-12-31' },
        ...{ per_page: '1', page: '2' },
      });
      const response = await send('get', `/expenses?${query.toString()}`).expect(200);
      expect(response.get('Link')).toMatch(/&page=3>;rel="next"$/);
    });

    it(`nginx run by ${name} leaves the tags of records as they are`, async () => {
      const method = await createPaymentMethod();
      const first = await send('get', `/payment-methods/${method.id}`).expect(200);
      const etag = first.get('ETag') ?? '';
      expect([etag, first.get('Content-Encoding')]).toEqual([
        expect.stringMatching(/^"[\w-]+"$/),
        undefined,
      ]);
      const second = (await rename(method, 'Second', etag).expect(200))
        .body as PaymentMethodResponse;
      expectError(await rename(method, 'Third', etag), 412, 'PRECONDITION_FAILED');
      await rename(method, 'Third', `"${second.updated_at}"`).expect(200);
      expectError(
        await rename(method, 'Fourth', `"${second.updated_at}"`),
        412,
        'PRECONDITION_FAILED',
      );
    });

    it(`nginx run by ${name} serves Swagger UI, whose document has the address of the prefix`, async () => {
      const redirected = await fetch(url);
      expect([redirected.status, redirected.url]).toEqual([200, `${url}/docs`]);
      const page = await redirected.text();
      const files = Array.from(page.matchAll(/(?:href|src)="([^"]+)"/g), ([, file = '']) => file);
      expect(files).toEqual(expect.arrayContaining(['./docs/swagger-ui-init.js']));
      for (const file of files) {
        const response = await fetch(new URL(file, redirected.url));
        expect([file, response.status]).toEqual([file, 200]);
        expect(response.headers.get('Content-Encoding')).toBe(
          /\.(?:js|css)$/.test(file) ? 'gzip' : null,
        );
      }
      const { servers, paths } = (await (await fetch(`${url}/docs/openapi.json`)).json()) as {
        servers: { url: string }[];
        paths: object;
      };
      expect(servers.map((server) => server.url)).toEqual([url]);
      expect(Object.keys(paths)).toContain('/api/v1/health');
      const health = await fetch(`${servers[0]?.url ?? ''}/api/v1/health`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(health.status).toBe(200);
    });

    it(`nginx run by ${name} serves a calendar at the address of its feed, compressed, and does not log the token`, async () => {
      const created = await send('post', '/calendar-feeds').send({ name: 'Gastos' }).expect(201);
      const feed = created.body as CreatedCalendarFeedResponse;
      expect(feed.url.startsWith(`${url}/calendar/`)).toBe(true);
      const response = await fetch(feed.url);
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
      expect(response.headers.get('Content-Encoding')).toBe('gzip');
      expect(await response.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
      const log = nginx.accessLog;
      expect(log).toContain('POST /gastos/api/v1/calendar-feeds');
      expect(log).not.toContain('/calendar/');
    });

    it(`nginx run by ${name} passes on bodies up to the limit of the service`, async () => {
      const largest = await send('post', '/import')
        .type('json')
        .send(`{"padding": "${'x'.repeat(10_000_001)}"}`);
      expectError(largest, 413, 'VALIDATION_ERROR');
      const larger = await send('post', '/import').type('json').send('x'.repeat(11_000_000));
      expect([larger.status, larger.type]).toEqual([413, 'text/html']);
    });

    it(`nginx run by ${name} says which address the client used, whatever the client says`, async () => {
      const upstream = createServer((received, response) => {
        response.end(JSON.stringify({ path: received.url, headers: received.headers }));
      }).listen(0, '127.0.0.1');
      await once(upstream, 'listening');
      const port = await freePort();
      const ports = { nginx: port, service: (upstream.address() as AddressInfo).port };
      const other = await Nginx.start(siteWith(ports), port, isRunByRoot);
      try {
        const response = await request(`http://127.0.0.1:${port}`)
          .get('/gastos/api/v1/comments?limit=1')
          .set({
            Host: 'example.com',
            'X-Forwarded-For': '198.51.100.1',
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': 'other.example',
          });
        expect(JSON.parse(response.text)).toMatchObject({
          path: '/api/v1/comments?limit=1',
          headers: {
            host: 'example.com',
            // The service trusts the last one.
            'x-forwarded-for': '198.51.100.1, 127.0.0.1',
            'x-forwarded-proto': 'http',
            'x-forwarded-host': 'example.com',
          },
        });
      } finally {
        await other.remove();
        upstream.close();
      }
    });
  },
);
