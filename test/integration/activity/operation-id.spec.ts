import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createOpenApiDocument } from '../../../openapi/document.js';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import { operationOf } from '../../support/client.js';
import { CHANGES, namesOfOperations } from '../../support/operation-statements.js';
import { splitName } from '../../support/operations.js';
import { createSampleEntities, VALID_QUERIES } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const service = useService({ corsOrigins: ['https://app.example.com'] });

const METHOD = { name: 'Card', method_type: 'debit', default_currency: 'USD' };

/** They may have nothing to write. */
const WRITES_LATER = ['POST /cycles/{id}/sync', 'POST /cycles/{id}/reprice', 'POST /import'];

describe('Operation-Id', () => {
  it('is in the response of every operation that writes activity records, and documented there', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const { paths } = createOpenApiDocument(service.app);
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { responses: object }>)
        .filter(([, { responses }]) => JSON.stringify(responses).includes('Operation-Id'))
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`),
    );
    const withHeader: string[] = [];
    for (const name of namesOfOperations(service)) {
      if (name === 'POST /auth/logout' || name === 'PUT /auth/me/password') continue;
      const { method, path } = splitName(name);
      const sent = user.send(method, fill(path + (VALID_QUERIES[name] ?? '')));
      const changed = CHANGES[name];
      const count = 'SELECT count(*)::int AS count FROM activity_log';
      const [before] = await service.query<{ count: number }>(count);
      const response = await (method === 'get'
        ? sent
        : changed
          ? sent.send(changed)
          : sendBody(sent, name));
      const [after] = await service.query<{ count: number }>(count);
      const written = (after?.count ?? 0) - (before?.count ?? 0);
      const id = operationOf(response);
      if (id !== undefined) withHeader.push(name);
      const records = id === undefined ? [] : await user.activity(`operation_id=${id}`);
      expect([name, records.length]).toEqual([name, written]);
      expect(records).toEqual(records.map((record) => ({ ...record, operation_id: id })));
    }
    const expected = documented.filter((name) => !WRITES_LATER.includes(name));
    expect(withHeader.filter((name) => !WRITES_LATER.includes(name)).sort()).toEqual(
      expected.sort(),
    );
  });

  it('is absent where nothing is written: unchanged, a dry run, an error', async () => {
    const user = await service.signUp();
    const created = await user.post('/payment-methods', METHOD).expect(201);
    const { id } = created.body as { id: string };
    const { id: cycle } = await user.createCycle({ generate_from_templates: false });
    const csv = `due_date,description,category,currency,amount,payment_method\n2026-02-01,A,fixed,USD,1,Card\n`;
    const dryRun = `/cycles/${cycle}/expenses/import?dry_run=true`;
    const responses = [
      await user.put(`/payment-methods/${id}`, { name: 'Card' }).expect(200),
      await user.post(dryRun).type('text/csv').send(csv).expect(200),
      await user.post(`/cycles/${cycle}/sync`).expect(200),
      await user.post('/payment-methods', METHOD).expect(409),
      await user.post('/calendar-feeds', { name: 'Gastos' }).expect(201),
      await user.get('/payment-methods').expect(200),
    ];
    expect(responses.map(operationOf)).toEqual(responses.map(() => undefined));
    expect(operationOf(created)).toMatch(/^[\da-f-]{36}$/);
  });

  it('is the same in the response that an Idempotency-Key sends again, if records were written', async () => {
    const user = await service.signUp();
    const { id: cycle } = await user.createCycle({ generate_from_templates: false });
    for (const [path, body] of [
      ['/payment-methods', METHOD],
      [`/cycles/${cycle}/sync`, {}],
    ] as const) {
      const key = randomUUID();
      const first = await user.post(path, body).set('Idempotency-Key', key);
      const again = await user.post(path, body).set('Idempotency-Key', key);
      expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
      expect(operationOf(again)).toBe(operationOf(first));
      expect(operationOf(first) === undefined).toBe(path !== '/payment-methods');
    }
  });

  it('is absent where a process of an earlier version has replaced an expired Idempotency-Key', async () => {
    const user = await service.signUp();
    const key = randomUUID();
    const send = () => user.post('/payment-methods', METHOD).set('Idempotency-Key', key);
    const first = await send().expect(201);
    expect(operationOf(await send())).toBe(operationOf(first));
    const tomorrow = new Date(Date.now() + 86_400_000);
    await service.query('UPDATE idempotency_keys SET created_at = $2 WHERE key = $1', [
      key,
      tomorrow,
    ]);
    const again = await send().expect(201);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(operationOf(again)).toBeUndefined();
  });

  it('can be read by scripts of other origins', async () => {
    const user = await service.signUp();
    const response = await user.get('/activity').set('Origin', 'https://app.example.com');
    expect(response.headers['access-control-expose-headers']).toContain('Operation-Id');
  });

  it('is the filter of GET /activity, alone and with others, on every page', async () => {
    const user = await service.signUp();
    await user.createTemplate();
    await user.createTemplate({ recurrence_config: { day_of_month: 20 } });
    const body = {
      name: 'A',
      start_date: '2026-01-19',
      end_date: '2026-03-01',
      income_amount: '1',
    };
    const created = await user.post('/cycles', body).expect(201);
    const { id } = created.body as CycleResponse;
    await user.createExpense(id);
    const query = `operation_id=${operationOf(created) ?? ''}`;
    const records = await user.activity(query);
    expect(records).toHaveLength(5);
    expect(await user.activity(`${query}&entity_type=cycle&entity_id=${id}`)).toHaveLength(1);
    expect(await user.activity(`${query}&cycle_id=${randomUUID()}`)).toEqual([]);
    const first = await user.get(`/activity?${query}&limit=3`).expect(200);
    const next = /<\/api\/v1([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '';
    expect(next).toContain(query);
    expect([...(first.body as object[]), ...(await user.read<object[]>(next))]).toEqual(
      records.toReversed(),
    );
  });
});
