import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { PaymentMethodResponse } from '../../../src/payment-methods/dto/payment-method.dto.js';
import { ExpiredRows } from '../../../src/platform/database/expired-rows.js';
import { uniqueName, type Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { StatementLogger } from '../../support/operation-statements.js';
import { operationsOf } from '../../support/operations.js';
import { databaseState } from '../../support/rejected-requests.js';
import { createSampleEntities, fileWith } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const CARD = { method_type: 'cash', default_currency: 'USD' };

describe('Idempotency-Key', () => {
  const service = useService();
  let user: Client;

  beforeAll(async () => {
    user = await service.signUp();
  });

  const post = (path: string, key: string, body?: object, client = user): Test =>
    client.post(path, body).set('Idempotency-Key', key);

  const createCard = (key: string, name: string, client = user): Test =>
    post('/payment-methods', key, { ...CARD, name }, client);

  const cards = (client = user): Promise<PaymentMethodResponse[]> =>
    client.read('/payment-methods');

  const cardsNamed = async (name: string): Promise<PaymentMethodResponse[]> =>
    (await cards()).filter((card) => card.name === name);

  function expectReplay(again: Response, first: Response): void {
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
  }

  it('an Idempotency-Key gives the first response again, and nothing happens', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    const first = await createCard(key, name).expect(201);
    expect(first.get('Idempotent-Replayed')).toBeUndefined();
    const { id } = first.body as PaymentMethodResponse;
    await user.put(`/payment-methods/${id}`, { description: 'Changed since' }).expect(200);
    const before = await databaseState(service);
    expectReplay(await createCard(key, name), first);
    expectReplay(await createCard(`"${key}"`, name), first);
    expect(await databaseState(service)).toEqual(before);
  });

  it('an Idempotency-Key compares bodies as JSON values, and paths without regard to case and a final slash', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    const first = await createCard(key, name).expect(201);
    const text = `{ "name": "${name}", "default_currency":"USD", "method_type": "c\\u0061sh" }`;
    const again = user.post('/Payment-Methods/').type('json').set('Idempotency-Key', key);
    expectReplay(await again.send(text), first);
  });

  it.each([
    ['another body', '/payment-methods', { ...CARD, name: 'Other' }],
    ['another query', '/payment-methods?a=1', undefined],
    ['another path', '/cycles', { name: 'x' }],
  ])(
    'Idempotency-Key is rejected for %s, with the id of what the first request created',
    async (_case, path, body) => {
      const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
      const { id } = (await createCard(key, name).expect(201)).body as PaymentMethodResponse;
      const valid = path === '/cycles' && {
        ...{ name: uniqueName('Cycle'), start_date: '2026-01-19', end_date: '2026-03-01' },
        income_amount: '1.00',
      };
      const response = await post(path, key, valid || (body ?? { ...CARD, name }));
      expectError(response, 422, 'IDEMPOTENCY_KEY_REUSED', { resource_id: id });
    },
  );

  it('an Idempotency-Key that is rejected names no id where the first request created several records, none, or what has no id', async () => {
    const { user: owner, fill, validBody } = await createSampleEntities(service);
    for (const path of ['/balances', '/cycles/{id}/reprice', '/households/current/invitations']) {
      const first = await post(fill(path), path, validBody(`POST ${path}`), owner);
      expect([path, first.ok]).toEqual([path, true]);
      const other = await post('/budgets', path, { name: 'Food' }, owner);
      expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED', {});
    }
  });

  it('a used Idempotency-Key is reported before wrong fields, and after a body that is not JSON', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    await createCard(key, name).expect(201);
    const wrong = await post('/payment-methods', key, { name: 1 });
    expectError(wrong, 422, 'IDEMPOTENCY_KEY_REUSED');
    const unreadable = user.post('/payment-methods').type('json').set('Idempotency-Key', key);
    expectError(await unreadable.send('{'), 400, 'VALIDATION_ERROR');
  });

  it('an Idempotency-Key belongs to its user', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    await createCard(key, name).expect(201);
    const other = await service.signUp();
    const response = await createCard(key, name, other).expect(201);
    expect(response.get('Idempotent-Replayed')).toBeUndefined();
    expect(await cards(other)).toHaveLength(1);
  });

  it('an Idempotency-Key remembers no failure: the request may be sent again with the key', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    const { id } = await user.createPaymentMethod({ name });
    const details = { resource: 'payment_method', id, active: true };
    for (let n = 0; n < 2; n += 1) {
      expectError(await createCard(key, name), 409, 'RESOURCE_CONFLICT', details);
    }
    expectInvalid(await post('/payment-methods', key, { ...CARD }), 'name');
    await user.put(`/payment-methods/${id}`, { name: uniqueName('Card') }).expect(200);
    await createCard(key, name).expect(201);
    expect(await cardsNamed(name)).toHaveLength(1);
  });

  it.each(['', '"', '""', '"abc', 'a b', 'a, b', 'ä', '\t', 'x'.repeat(256), '"a"b"'])(
    'an Idempotency-Key rejects the key %j',
    async (key) => {
      const before = await databaseState(service);
      const encoded = Buffer.from(key, 'latin1').toString('latin1');
      const response = await createCard(encoded, uniqueName('Card'));
      expectInvalid(response, 'Idempotency-Key');
      expect(await databaseState(service)).toEqual(before);
    },
  );

  it.each(['x', 'x'.repeat(255), '!~', 'a"b', '"a\\"b\\\\"', "O'Brien;--"])(
    'an Idempotency-Key takes the key %j',
    async (key) => {
      const name = uniqueName('Card');
      const client = await service.signUp();
      const first = await createCard(key, name, client).expect(201);
      expectReplay(await createCard(key, name, client), first);
    },
  );

  it('Idempotency-Key has one effect for concurrent requests', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    const responses = await Promise.all(Array.from({ length: 10 }, () => createCard(key, name)));
    const [first] = responses.filter((one) => one.status === 201);
    for (const response of responses) {
      if (response.status === 201) {
        expect(response.text).toBe(first?.text);
      } else {
        expectError(response, 409, 'IDEMPOTENCY_KEY_IN_USE');
        expect(response.get('Retry-After')).toBe('1');
      }
    }
    expect(await cardsNamed(name)).toHaveLength(1);
    expectReplay(await createCard(key, name), first as Response);
  });

  it('an Idempotency-Key shows a secret once: the response that is sent again has null in its place', async () => {
    const first = await post('/households/current/invitations', 'invite').expect(201);
    const again = await post('/households/current/invitations', 'invite').expect(201);
    expect(first.body).toEqual({ code: expect.any(String), expires_at: expect.any(String) });
    expect(again.body).toEqual({ ...(first.body as object), code: null });
    const { code } = first.body as { code: string };
    const stored = await service.query<{ row: string }>(
      'SELECT k::text AS row FROM idempotency_keys k',
    );
    expect(stored.some(({ row }) => row.includes(code))).toBe(false);
  });

  it('an Idempotency-Key rolls back the effect when the response cannot be stored', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    await service.query(
      `ALTER TABLE idempotency_keys ADD CONSTRAINT refuse CHECK (key <> '${key}') NOT VALID`,
    );
    const log = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expectError(await createCard(key, name), 500, 'INTERNAL_SERVER_ERROR');
    } finally {
      log.mockRestore();
      await service.query('ALTER TABLE idempotency_keys DROP CONSTRAINT refuse');
    }
    expect(await cardsNamed(name)).toEqual([]);
    await createCard(key, name).expect(201);
  });

  it('Idempotency-Key is forgotten after 24 hours, and removed by the service', async () => {
    const [key, name] = [uniqueName('key').replace(' ', '-'), uniqueName('Card')];
    const { id } = (await createCard(key, name).expect(201)).body as PaymentMethodResponse;
    const [{ hours } = { hours: 0 }] = await service.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours
       FROM idempotency_keys WHERE key = $1`,
      [key],
    );
    expect(hours).toBe(24);
    await service.query(
      "UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1",
      [key],
    );
    await user.put(`/payment-methods/${id}`, { name: uniqueName('Card') }).expect(200);
    // Not removed yet, and replaced.
    const second = await createCard(key, name).expect(201);
    expect(second.get('Idempotent-Replayed')).toBeUndefined();
    expectReplay(await createCard(key, name), second);

    await service.query(
      "UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1",
      [key],
    );
    await service.app.get(ExpiredRows, { strict: false }).remove();
    expect(await service.query('SELECT 1 FROM idempotency_keys WHERE key = $1', [key])).toEqual([]);
    expect(await service.query('SELECT 1 FROM idempotency_keys')).not.toEqual([]);
  });

  it('Idempotency-Key is ignored by other methods and by sign-in', async () => {
    const client = await service.signUp();
    await client.get('/payment-methods').set('Idempotency-Key', 'a b').expect(200);
    await client.put('/auth/me', { locale: 'es' }).set('Idempotency-Key', 'x').expect(200);
    await client.put('/auth/me', { locale: 'de' }).set('Idempotency-Key', 'x').expect(200);
    const first = await client.post('/auth/refresh').set('Idempotency-Key', 'x').expect(200);
    const again = await client.post('/auth/refresh').set('Idempotency-Key', 'x').expect(200);
    for (const response of [first, again]) {
      expect(response.get('Idempotent-Replayed')).toBeUndefined();
    }
    await client.post('/auth/logout').set('Idempotency-Key', 'a b').expect(204);
  });

  it('Idempotency-Key is ignored by a POST that writes nothing, which it does not document', async () => {
    const { user: owner, fill, sendBody, ids } = await createSampleEntities(service);
    const key = uniqueName('key').replace(' ', '-');
    const before = await databaseState(service);
    const dates = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '5' };
    for (const income_amount of ['1', '2']) {
      const response = await post('/cycles/preview', key, { ...dates, income_amount }, owner);
      expect(response.get('Idempotent-Replayed')).toBeUndefined();
      expect(response.body).toMatchObject({ cycle: { income_amount: `${income_amount}.00` } });
    }
    for (const value of [key, 'not valid']) {
      const operation = 'POST /occurrences';
      await sendBody(post('/occurrences', value, undefined, owner), operation).expect(200);
      const reprice = fill('/cycles/{id}/reprice');
      await post(reprice, value, { dry_run: true }, owner).expect(200);
      const file = fileWith('POST /cycles/{cycle_id}/expenses/import', ids) ?? '';
      const path = fill('/cycles/{cycle_id}/expenses/import?dry_run=true');
      await post(path, value, undefined, owner).type('text/csv').send(file).expect(200);
    }
    expect(await databaseState(service)).toEqual(before);

    const documented = operationsOf(service.app)
      .filter(
        ({ name, parameters }) =>
          name.startsWith('POST') && !parameters.header.includes('Idempotency-Key'),
      )
      .map(({ name }) => name)
      .filter((name) => !/^POST \/(auth|account)\//.test(name));
    expect(documented.sort()).toEqual([
      ...['POST /cycles/preview', 'POST /forecast', 'POST /occurrences'],
    ]);
  });

  it('Idempotency-Key of a dry run may be that of the request itself', async () => {
    const { user: owner, fill, ids } = await createSampleEntities(service);
    const path = fill('/cycles/{cycle_id}/expenses/import');
    const file = fileWith('POST /cycles/{cycle_id}/expenses/import', ids) ?? '';
    const send = (query: string): Test =>
      post(path + query, 'dry', undefined, owner)
        .type('text/csv')
        .send(file);
    await send('?dry_run=true').expect(200);
    const first = await send('').expect(200);
    expect(first.get('Idempotent-Replayed')).toBeUndefined();
    expectReplay(await send(''), first);
    const stored = await send('?dry_run=true').expect(200);
    expect(stored.get('Idempotent-Replayed')).toBeUndefined();
    const reprice = (body: object): Test =>
      post(fill('/cycles/{id}/reprice'), 'price', body, owner);
    await reprice({ dry_run: true }).expect(200);
    expect((await reprice({}).expect(200)).get('Idempotent-Replayed')).toBeUndefined();
    expect((await reprice({}).expect(200)).get('Idempotent-Replayed')).toBe('true');
    expectError(await reprice({ dry_run: false }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('an Idempotency-Key compares the files of an import', async () => {
    const { user: owner, fill, ids } = await createSampleEntities(service);
    const path = fill('/cycles/{cycle_id}/expenses/import');
    const file = fileWith('POST /cycles/{cycle_id}/expenses/import', ids) ?? '';
    const send = (text: string): Test =>
      owner.post(path).set('Idempotency-Key', 'file').type('text/csv').send(text);
    const first = await send(file).expect(200);
    expectReplay(await send(file), first);
    expectError(await send(`${file}${file}`), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect((await owner.expenses(ids['{cycle_id}'] ?? '')).expenses).toHaveLength(3);
  });

  it('an Idempotency-Key adds three statements in one round trip to every POST, and works with all of them', async () => {
    const entities = await createSampleEntities(service);
    const logger = new StatementLogger();
    const { logger: original } = service.dataSource;
    const posts = operationsOf(service.app).filter(
      ({ name, parameters }) =>
        name.startsWith('POST') && parameters.header.includes('Idempotency-Key'),
    );
    const withoutData = ['POST /import'];
    expect(posts.length).toBeGreaterThan(6);
    // Users stay cached, so that no request reads its user.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    service.dataSource.logger = logger;
    try {
      for (const { name } of posts) {
        const path = entities.fill(name.replace('POST ', ''));
        const sender = withoutData.includes(name) ? await service.signUp() : entities.user;
        const send = (): Test => entities.sendBody(post(path, key, undefined, sender), name);
        const key = name.replaceAll(' ', '');
        await sender.get('/payment-methods').expect(200);
        logger.statements = [];
        const first = await send();
        expect([name, first.ok]).toEqual([name, true]);
        const [begin, lock, find, ...others] = logger.statements.map(({ sql }) => sql);
        expect(begin).toBe('START TRANSACTION');
        // SELECTs that are sent together with BEGIN.
        expect(lock).toContain('pg_try_advisory_xact_lock');
        expect(find).toContain('FROM idempotency_keys');
        // Not awaited, so that it is sent together with COMMIT.
        expect(others.at(-2)).toMatch(/^\s*INSERT INTO idempotency_keys(?!.*RETURNING)/s);
        expect(others.at(-1)).toBe('COMMIT');
        // One transaction encloses the request.
        expect(others.filter((sql) => /^(START|COMMIT|SAVEPOINT)/.test(sql))).toEqual(['COMMIT']);
        const again = await send();
        expect([name, again.get('Idempotent-Replayed')]).toEqual([name, 'true']);
      }
    } finally {
      service.dataSource.logger = original;
      jest.restoreAllMocks();
    }
  });
});
