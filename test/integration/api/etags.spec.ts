import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import { uniqueName, type Client, type Method } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { FORMS, otherInstants } from '../../support/instants.js';
import { databaseState } from '../../support/rejected-requests.js';
import { createEntitiesOf, UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const TAG = /^"[\w-]{43}"$/;
const OTHER_TAG = '"other"';

/** The path of each resource, its table, and the method and body of a change. */
const RESOURCES = [
  ['/payment-methods/{id}', 'payment_methods', 'put', { description: 'Changed' }],
  ['/budgets/{id}', 'budgets', 'put', { name: 'Changed' }],
  ['/expense-templates/{id}', 'expense_templates', 'put', { description: 'Changed' }],
  ['/income-templates/{id}', 'income_templates', 'put', { description: 'Changed' }],
  ['/cycles/{id}', 'cycles', 'put', { name: 'Changed' }],
  ['/cycles/{cycle_id}/expenses/{expense_id}', 'cycle_expenses', 'put', { description: 'Changed' }],
  ['/cycles/{cycle_id}/incomes/{income_id}', 'cycle_incomes', 'put', { description: 'Changed' }],
  ['/comments/{id}', 'comments', 'patch', { body: 'Changed' }],
] as const;

describe('ETag and If-Match', () => {
  const service = useService();
  let user: Client;

  beforeAll(async () => {
    user = await service.signUp();
  });

  const etag = (response: Response): string => {
    expect(response.get('ETag')).toMatch(TAG);
    return response.get('ETag') ?? '';
  };

  const updatedAt = ({ body }: Response): string => {
    const { updated_at } = body as { updated_at: string };
    expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return `"${updated_at}"`;
  };

  const send = (method: Method, path: string, tag: string, body?: object): Test =>
    user.send(method, path).set('If-Match', tag).send(body);

  describe.each(RESOURCES)('of %s', (template, table, method, change) => {
    const [field = ''] = Object.keys(change);
    let path: string;
    const hasGet = !template.startsWith('/comments');

    beforeAll(async () => {
      const { fill } = await createEntitiesOf(user, user);
      path = fill(template);
    });

    /** A comment has no GET: a change to the same body responds with its current state. */
    const read = async (): Promise<Response> =>
      hasGet ? user.get(path).expect(200) : user.send(method, path).send({ body: 'First' });

    it('the tag changes only with the representation', async () => {
      const first = await read();
      expect(etag(await read())).toBe(etag(first));
      const changed = await send(method, path, etag(first), change).expect(200);
      expect(etag(changed)).not.toBe(etag(first));
      if (hasGet) expect(etag(await read())).toBe(etag(changed));
    });

    it('a write with another tag gets 412 and changes nothing', async () => {
      const before = await databaseState(service);
      for (const [verb, body] of [
        [method, change],
        ['delete', undefined],
      ] as const) {
        expectError(await send(verb, path, OTHER_TAG, body), 412, 'PRECONDITION_FAILED', {});
        for (const malformed of ['', 'other', '"a" "b"', '*, "a"', '"a', 'w/"a"']) {
          expectInvalid(await send(verb, path, malformed, body), 'If-Match');
        }
      }
      if (hasGet) expect(await databaseState(service)).toEqual(before);
    });

    it('a tag that a compressing proxy has changed gets 412, which says so', async () => {
      const before = await databaseState(service);
      const current = etag(await read());
      const opaque = current.slice(1, -1);
      const changed = [`W/${current}`, `"${opaque}-gzip"`, `"${opaque}-br"`, `W/"${opaque}-zstd"`];
      const other = ['"gzip"', '"-gzip"', `"${opaque}-"`, `"${opaque}-gzip-1"`, `"${opaque}gzip"`];
      const others = [...other, `"x${opaque}-gzip"`, 'W/"other"', '"other-gzip"'];
      for (const [verb, body] of [
        [method, change],
        ['delete', undefined],
      ] as const) {
        for (const tag of changed) {
          for (const header of [tag, `${OTHER_TAG}, ${tag}`]) {
            const response = await send(verb, path, header, body);
            const message = expectError(response, 412, 'PRECONDITION_FAILED', { cause: 'proxy' });
            expect(message).toMatch(/proxy/);
          }
        }
        for (const tag of others) {
          expectError(await send(verb, path, tag, body), 412, 'PRECONDITION_FAILED', {});
        }
      }
      if (hasGet) expect(await databaseState(service)).toEqual(before);
    });

    it('a write to a missing entity gets 404, with any tag', async () => {
      const missing = path.replace(/[^/]+$/, UNKNOWN_UUID);
      expect((await send(method, missing, OTHER_TAG, change)).status).toBe(404);
      expect((await send('delete', missing, OTHER_TAG)).status).toBe(404);
      expect((await send(method, missing, '*', change)).status).toBe(404);
    });

    it('a list matches if it contains the tag, and * matches every existing entity', async () => {
      const tag = etag(await read());
      await send(method, path, ` ,"a,b",W/"c" , ${tag},,"d"`, change).expect(200);
      await send(method, path, '*', change).expect(200);
    });

    it('the quoted updated_at is a tag until the record changes, in a list with other tags too', async () => {
      const first = updatedAt(await read());
      await send(method, path, first, change).expect(200);
      const mixed = `${OTHER_TAG}, ${updatedAt(await read())}`;
      const last = await send(method, path, mixed, { [field]: uniqueName('Changed') }).expect(200);
      for (const [verb, body] of [
        [method, change],
        ['delete', undefined],
      ] as const) {
        const current = updatedAt(last);
        const others = otherInstants(current.slice(1, -1)).map((instant) => `"${instant}"`);
        for (const tag of [first, mixed, `W/${current}`, ...others]) {
          expectError(await send(verb, path, tag, body), 412, 'PRECONDITION_FAILED', {});
        }
      }
    });

    it('the quoted updated_at matches in every form of its instant', async () => {
      const owner = await service.signUp();
      const { fill } = await createEntitiesOf(owner, owner);
      const write = (verb: Method, tag: string, body?: object): Test =>
        owner.send(verb, fill(template)).set('If-Match', tag).send(body);
      let current = updatedAt(await write(method, '*', change).expect(200)).slice(1, -1);
      for (const formOf of FORMS) {
        const tag = `${OTHER_TAG}, "${formOf(current)}"`;
        const changed = await write(method, tag, { [field]: uniqueName('Changed') });
        expect([tag, changed.status]).toEqual([tag, 200]);
        current = updatedAt(changed).slice(1, -1);
      }
      await write('delete', `"${FORMS[0](current)}"`).expect(204);
    });

    it('updated_at without quotes is refused, and the message says that it needs them', async () => {
      const current = updatedAt(await read()).slice(1, -1);
      for (const header of [current, `"a", ${current}`, `W/${current}`, `"${current}`]) {
        const response = await send(method, path, header, change);
        expectInvalid(response, 'If-Match');
        expect((response.body as ErrorBody).error.message).toMatch(/in double quotes/);
      }
    });

    it('updated_at grows by at least 1 ms with each change, even if the clock is set back', async () => {
      const id = path.split('/').at(-1) ?? '';
      await service.query(
        `UPDATE ${table} SET updated_at = now() + interval '1 hour' WHERE id = '${id}'`,
      );
      const times: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        const body = { [field]: uniqueName('Changed') };
        const response = await send(method, path, '*', body).expect(200);
        times.push(Date.parse(updatedAt(response).slice(1, -1)));
        if (hasGet) expect(updatedAt(await read())).toBe(updatedAt(response));
      }
      const [start = 0] = times;
      expect(start).toBeGreaterThan(Date.now());
      expect(times).toEqual([start, start + 1, start + 2]);
    });

    it('one of five concurrent writes with the same updated_at succeeds', async () => {
      const tag = updatedAt(await read());
      const responses = await Promise.all(
        Array.from({ length: 5 }, () =>
          send(method, path, tag, { [field]: uniqueName('Changed') }),
        ),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412, 412, 412, 412]);
    });

    it('one of five concurrent writes with the same tag succeeds', async () => {
      const tag = etag(await read());
      const responses = await Promise.all(
        Array.from({ length: 5 }, () =>
          send(method, path, tag, { [field]: uniqueName('Changed') }),
        ),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412, 412, 412, 412]);
    });

    it('a deletion with the current tag succeeds', async () => {
      await send('delete', path, etag(await read())).expect(204);
    });

    it('a deletion with the current updated_at succeeds', async () => {
      const { fill } = await createEntitiesOf(user, user);
      const other = fill(template);
      const created = await send(method, other, '*', { [field]: uniqueName('Changed') }).expect(
        200,
      );
      await send('delete', other, updatedAt(created)).expect(204);
    });
  });

  it('POST and GET respond with the same tag', async () => {
    const method = await user.createPaymentMethod();
    const { id: budget_id } = await user.createBudget({ limit: '5.00' });
    const cycle = await user.createCycle({ generate_from_templates: false });
    const fields = { payment_method_id: method.id, currency: 'USD', description: 'x' };
    const recurring = {
      ...{ base_amount: '1', recurrence_type: 'monthly', reference_date: '2025-01-01' },
      recurrence_config: { handle_month_end: true, day_of_month: 31 },
    };
    const bodies: Record<string, object> = {
      '/payment-methods': { name: uniqueName('x'), method_type: 'cash', default_currency: 'USD' },
      '/budgets': { name: uniqueName('x'), limit: '.5' },
      '/expense-templates': { ...fields, ...recurring, budget_id, category: 'fixed' },
      '/income-templates': { ...fields, ...recurring },
      '/cycles': {
        ...{ name: uniqueName('x'), start_date: '2026-01-19', end_date: '2026-03-01' },
        income_amount: '1',
      },
      // Overdue by now: the response to POST shows the stored status instead.
      [`/cycles/${cycle.id}/expenses`]: {
        ...{ ...fields, budget_id, amount: '1', due_date: '2020-01-01', category: 'fixed' },
      },
      [`/cycles/${cycle.id}/incomes`]: { ...fields, amount: '1', income_date: '2020-01-01' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const key = uniqueName('key').replace(' ', '-');
      const post = (): Test => user.post(path, body).set('Idempotency-Key', key);
      const created = await post().expect(201);
      const { id } = created.body as { id: string };
      const found = await user.get(`${path}/${id}`).expect(200);
      expect([path, etag(found)]).toEqual([path, etag(created)]);
      const unchanged = await user.put(`${path}/${id}`, {}).expect(200);
      expect([path, etag(unchanged)]).toEqual([path, etag(created)]);
      expect(etag(await post().expect(201))).toBe(etag(created));
    }
    const target = { entity_type: 'cycle', entity_id: cycle.id, body: 'x' };
    const comment = await user.post('/comments', target).expect(201);
    const { id } = comment.body as CommentResponse;
    await send('patch', `/comments/${id}`, etag(comment), { body: 'y' }).expect(200);
  });

  it('the tag of a cycle changes with its summary and balance', async () => {
    const cycle = await user.createCycle({ generate_from_templates: false });
    const path = `/cycles/${cycle.id}`;
    const empty = etag(await user.get(path));
    const expense = await user.createExpense(cycle.id);
    expectError(await send('put', path, empty, { name: 'x' }), 412, 'PRECONDITION_FAILED');
    const unpaid = etag(await user.get(path));
    await user.put(`${path}/expenses/${expense.id}`, { paid: true }).expect(200);
    // This changes the counts of the summary, but not the balance.
    expectError(await send('delete', path, unpaid), 412, 'PRECONDITION_FAILED');
  });

  it('updated_at of a cycle stays when its entries change, and matches', async () => {
    const cycle = await user.createCycle({ generate_from_templates: false });
    const path = `/cycles/${cycle.id}`;
    const expense = await user.createExpense(cycle.id);
    await user.put(`${path}/expenses/${expense.id}`, { paid: true }).expect(200);
    const changed = await user.get(path);
    expect(updatedAt(changed)).toBe(`"${cycle.updated_at}"`);
    await send('put', path, `"${cycle.updated_at}"`, { name: uniqueName('x') }).expect(200);
    await send('put', path, `"${cycle.updated_at}"`, { name: 'y' }).expect(412);
  });

  it('updated_at of a record in a list is a tag', async () => {
    const method = await user.createPaymentMethod();
    const list = (await user.get('/payment-methods')).body as { id: string; updated_at: string }[];
    const tag = `"${list.find(({ id }) => id === method.id)?.updated_at}"`;
    const path = `/payment-methods/${method.id}`;
    await send('put', path, tag, { description: 'x' }).expect(200);
    expectError(await send('put', path, tag, { description: 'y' }), 412, 'PRECONDITION_FAILED');
  });

  it('updated_at of an entry grows with every change of several entries at once', async () => {
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date) VALUES ('MXN', 'USD', 0.04, '2020-01-01')
       ON CONFLICT DO NOTHING`,
    );
    const cycle = await user.createCycle({ generate_from_templates: false });
    const expenses = `/cycles/${cycle.id}/expenses`;
    const { id } = await user.createExpense(cycle.id, {
      currency: 'MXN',
      due_date: cycle.start_date,
    });
    const read = (): Test => user.get(`${expenses}/${id}`).expect(200);
    const reprice = (): Test => user.post(`/cycles/${cycle.id}/reprice`, {}).expect(200);
    await service.query(
      `UPDATE cycle_expenses SET amount_usd = 1, exchange_rate = 0.01,
         updated_at = now() + interval '1 hour' WHERE id = '${id}'`,
    );
    const before = updatedAt(await read());
    await reprice();
    const after = updatedAt(await read());
    expect(Date.parse(after.slice(1, -1))).toBe(Date.parse(before.slice(1, -1)) + 1);
    expectError(await send('delete', `${expenses}/${id}`, before), 412, 'PRECONDITION_FAILED');
    await send('delete', `${expenses}/${id}`, after).expect(204);
  });

  it('the tag of an expense changes with the name of its payment method', async () => {
    const method = await user.createPaymentMethod();
    const cycle = await user.createCycle({ generate_from_templates: false });
    const { id } = await user.createExpense(cycle.id, { payment_method_id: method.id });
    const path = `/cycles/${cycle.id}/expenses/${id}`;
    const before = etag(await user.get(path));
    await user.put(`/payment-methods/${method.id}`, { name: uniqueName('Renamed') }).expect(200);
    expectError(await send('put', path, before, { paid: true }), 412, 'PRECONDITION_FAILED');
    await send('put', path, etag(await user.get(path)), { paid: true }).expect(200);
  });

  it('the body is checked before the tag (422), a completed cycle after it (409)', async () => {
    const cycle = await user.createCycle({ generate_from_templates: false });
    const path = `/cycles/${cycle.id}`;
    expectInvalid(await send('put', path, OTHER_TAG, { name: '' }), 'name');
    const completed = await user.put(path, { status: 'completed' }).expect(200);
    expectError(await send('put', path, OTHER_TAG, {}), 412, 'PRECONDITION_FAILED');
    for (const tag of [etag(completed), '*']) {
      expectError(await send('put', path, tag, {}), 409, 'CYCLE_ALREADY_COMPLETED');
      expectError(await send('delete', path, tag), 409, 'CYCLE_ALREADY_COMPLETED');
    }
  });

  it('the author of a comment is checked before the tag (403)', async () => {
    const member = await service.signUpMember(user);
    const { id: entity_id } = await user.createPaymentMethod();
    const target = { entity_type: 'payment_method', entity_id, body: 'x' };
    const { id } = (await user.post('/comments', target).expect(201)).body as CommentResponse;
    const edit = member.send('patch', `/comments/${id}`).set('If-Match', OTHER_TAG);
    expectError(await edit.send({ body: 'y' }), 403, 'FORBIDDEN');
  });
});
