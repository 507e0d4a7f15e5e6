import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { FieldReason } from '../../../src/platform/errors/field-reasons.js';
import { Client, TEST_PASSWORD, uniqueName } from '../../support/client.js';
import { importDocument, sampleDocument } from '../../support/data-document.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

/** A text of 4 characters in NFC, and of 6 in NFD. */
const NFC = 'Ñúma';
const NFD = NFC.normalize('NFD');

const INVISIBLE = [' ', '\u00a0', '\u0085', '\u200b', '\ufeff', '\u00ad', '\u2800', '\u3164'];
const ALL_INVISIBLE = INVISIBLE.join('');

const service = useService();

let user: Client;
let cycleId: string;

beforeAll(async () => {
  user = await service.signUp();
  cycleId = (await user.createCycle()).id;
});

/** Creates a record, or changes one, with a text in a field; returns the response's body. */
type Write = (text: string | null) => Promise<Record<string, unknown>>;

const uniqueEmail = (): string => `${uniqueName('text').replace(' ', '-')}@example.com`;

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  return (await user.post(path, body)).body as Record<string, unknown>;
}

async function put(path: string, body: object): Promise<Record<string, unknown>> {
  return (await user.put(path, body)).body as Record<string, unknown>;
}

const CARD = { method_type: 'cash', default_currency: 'USD' };

const TEMPLATE = {
  ...{ currency: 'USD', base_amount: '1', recurrence_type: 'monthly' },
  ...{ recurrence_config: { day_of_month: 1 }, reference_date: '2026-01-01' },
};

/** Fields that are required, with the longest text. */
const REQUIRED: [string, string, number, Write][] = [
  ['POST /payment-methods', 'name', 100, (name) => post('/payment-methods', { ...CARD, name })],
  [
    'PUT /payment-methods/{id}',
    'name',
    100,
    async (name) => put(`/payment-methods/${(await user.createPaymentMethod()).id}`, { name }),
  ],
  ['POST /budgets', 'name', 100, (name) => post('/budgets', { name })],
  [
    'PUT /budgets/{id}',
    'name',
    100,
    async (name) => put(`/budgets/${(await user.createBudget()).id}`, { name }),
  ],
  [
    'POST /expense-templates',
    'description',
    255,
    async (description) =>
      post('/expense-templates', {
        ...{ ...TEMPLATE, category: 'fixed', description },
        payment_method_id: (await user.createPaymentMethod()).id,
      }),
  ],
  [
    'PUT /expense-templates/{id}',
    'description',
    255,
    async (description) =>
      put(`/expense-templates/${(await user.createTemplate()).id}`, { description }),
  ],
  [
    'POST /income-templates',
    'description',
    255,
    (description) => post('/income-templates', { ...TEMPLATE, description }),
  ],
  [
    'PUT /cycles/{id}',
    'name',
    100,
    async (name) => put(`/cycles/${(await user.createCycle()).id}`, { name }),
  ],
  [
    'PUT /cycles/{cycle_id}/expenses/{id}',
    'description',
    255,
    async (description) =>
      put(`/cycles/${cycleId}/expenses/${(await user.createExpense(cycleId)).id}`, { description }),
  ],
  [
    'PUT /cycles/{cycle_id}/incomes/{id}',
    'description',
    255,
    async (description) =>
      put(`/cycles/${cycleId}/incomes/${(await user.createIncome(cycleId)).id}`, { description }),
  ],
  ['PUT /households/current', 'name', 100, (name) => put('/households/current', { name })],
  ['POST /calendar-feeds', 'name', 100, (name) => post('/calendar-feeds', { name })],
  ['POST /auth/tokens', 'name', 100, (name) => post('/auth/tokens', { name })],
];

/** Optional fields. */
const OPTIONAL: [string, string, Write][] = [
  ['PUT /auth/me', 'first_name', (first_name) => put('/auth/me', { first_name })],
  ['PUT /auth/me', 'last_name', (last_name) => put('/auth/me', { last_name })],
  [
    'POST /payment-methods',
    'description',
    (description) => post('/payment-methods', { ...CARD, name: uniqueName('Text'), description }),
  ],
];

function expectReason(body: Record<string, unknown>, field: string, reason: FieldReason): void {
  expect(body).toMatchObject({ error: { details: { reasons: { [field]: [reason] } } } });
}

describe.each(REQUIRED)('a name or description: %s', (_operation, field, max, write) => {
  it('is stored in NFC, and trimmed', async () => {
    const unique = uniqueName(NFD);
    expect(await write(` ${unique}\u3000`)).toMatchObject({ [field]: unique.normalize('NFC') });
  });

  it('keeps invisible characters at its ends', async () => {
    const text = `\u200d${uniqueName('x')}\u2060`;
    expect(await write(text)).toMatchObject({ [field]: text });
  });

  it('has its length counted in NFC', async () => {
    const longest = uniqueName('é'.repeat(90)).padEnd(max, 'é');
    const decomposed = longest.normalize('NFD');
    expect(await write(decomposed)).toMatchObject({ [field]: longest });
    expectReason(await write(`${decomposed}e\u0301`), field, 'too_long');
  });

  it('is blank where nothing in it is visible', async () => {
    for (const text of [...INVISIBLE, ALL_INVISIBLE]) {
      expectReason(await write(text), field, 'blank');
    }
    expectReason(await write(''), field, 'too_short');
  });
});

describe.each(OPTIONAL)('an optional name or description: %s %s', (_operation, field, write) => {
  it('is stored in NFC', async () => {
    expect(await write(NFD)).toMatchObject({ [field]: NFC });
  });

  it('is none where nothing in it is visible', async () => {
    for (const text of ['', ...INVISIBLE, ALL_INVISIBLE]) {
      await write('before');
      expect(await write(text)).toMatchObject({ [field]: null });
    }
  });
});

describe('text', () => {
  it('text of a bulk update, a generated cycle and a preview is in NFC', async () => {
    const { id } = await user.createExpense(cycleId);
    const response = await user
      .patch(`/cycles/${cycleId}/expenses`, { expenses: [{ id, description: NFD }] })
      .expect(200);
    expect(response.body).toMatchObject({ expenses: [{ id, description: NFC }] });
    const blank = await user.patch(`/cycles/${cycleId}/expenses`, {
      expenses: [{ id, description: '\u200b' }],
    });
    expectReason(blank.body as Record<string, unknown>, 'expenses.0.description', 'blank');
    const name = uniqueName(NFD);
    const period = { start_date: '2026-01-01', end_date: '2026-01-31', income_amount: '1' };
    await user.post('/cycles', { ...period, name }).expect(201);
    const preview = async (text: string): Promise<object> =>
      (await user.post('/cycles/preview', { ...period, name: text }).expect(200)).body as object;
    const taken = expect.arrayContaining([
      expect.objectContaining({ code: 'name_taken' }),
    ]) as unknown;
    expect(await preview(name.normalize('NFC'))).toMatchObject({ warnings: taken });
    expect(await preview(name)).toMatchObject({ warnings: taken });
    expect(await preview('\u200b')).not.toMatchObject({ warnings: taken });
    expectError(await user.post('/cycles', { ...period, name }), 409, 'CYCLE_NAME_EXISTS');
  });

  it('text of notes and comments stays as it was sent', async () => {
    const notes = { comments: NFD, autopay_info: NFD };
    expect(await user.createExpense(cycleId, notes)).toMatchObject(notes);
    expect(await user.createIncome(cycleId, { comments: NFD })).toMatchObject({ comments: NFD });
    expect(await user.createTemplate({ autopay_info: NFD })).toMatchObject({ autopay_info: NFD });
    const comment = { entity_type: 'cycle', entity_id: cycleId };
    expect(await post('/comments', { ...comment, body: ` ${NFD} ` })).toMatchObject({
      body: ` ${NFD} `,
    });
    expectReason(await post('/comments', { ...comment, body: '\u200b' }), 'body', 'blank');
  });

  it('text of a request with an Idempotency-Key is compared as it was sent', async () => {
    const name = uniqueName(NFD);
    const send = (sent: string) =>
      user.post('/payment-methods', { ...CARD, name: sent }).set('Idempotency-Key', 'forms');
    const first = await send(name).expect(201);
    const again = await send(name).expect(201);
    expect([again.get('Idempotent-Replayed'), again.text]).toEqual(['true', first.text]);
    expectError(await send(name.normalize('NFC')), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('text of an imported document is in NFC, and names that become equal are repeated', async () => {
    const other = await service.signUp();
    const document = sampleDocument();
    const [method] = document.payment_methods;
    const [expense] = document.expenses;
    Object.assign(method ?? {}, { name: NFD });
    Object.assign(expense ?? {}, { description: NFD, comments: NFD });
    const twice = [...document.payment_methods, { ...method, id: UNKNOWN_UUID, name: NFC }];
    const refused = await importDocument(other, { ...document, payment_methods: twice });
    expectInvalid(refused, 'payment_methods.2');
    expectReason(refused.body as Record<string, unknown>, 'payment_methods.2', 'repeated');
    await importDocument(other, document).expect(200);
    const [{ id, name }] = await other.read<[{ id: string; name: string }]>(
      '/payment-methods?active=false',
    );
    expect(name).toBe(NFC);
    const { expenses } = await other.read<{ expenses: object[] }>(
      `/expenses?payment_method_id=${id}`,
    );
    expect(expenses).toMatchObject([{ description: NFC, comments: NFD }]);
  });
});

describe('the payment method of a CSV row', () => {
  const importRow = (client: Client, cycle: string, name: string) =>
    client
      .post(`/cycles/${cycle}/expenses/import`)
      .type('text/csv')
      .send(
        'due_date,description,category,currency,amount,payment_method\n' +
          `2026-02-01,${NFD},fixed,USD,5,${name}\n`,
      );

  it.each([
    [NFC, NFD],
    [NFD, NFC],
    [NFD, NFD],
    [NFD, NFC.toUpperCase()],
  ])(
    'the payment method of a CSV row is found in any form: stored %j, given %j',
    async (stored, given) => {
      const client = await service.signUp();
      const { id } = await client.createPaymentMethod({ name: 'Card' });
      // As a version before stored it.
      await service.query('UPDATE payment_methods SET name = $1 WHERE id = $2', [stored, id]);
      const cycle = await client.createCycle();
      await importRow(client, cycle.id, given).expect(200);
      const { expenses } = await client.expenses(cycle.id);
      expect(expenses).toMatchObject([{ description: NFC, payment_method: { id } }]);
    },
  );

  it('the payment method of a CSV row is the one with the name in NFC, of two that are shown alike', async () => {
    const client = await service.signUp();
    const { id } = await client.createPaymentMethod({ name: NFC });
    const other = await client.createPaymentMethod({ name: 'Card' });
    await service.query('UPDATE payment_methods SET name = $1 WHERE id = $2', [NFD, other.id]);
    const cycle = await client.createCycle();
    await importRow(client, cycle.id, NFD).expect(200);
    const { expenses } = await client.expenses(cycle.id);
    expect(expenses).toMatchObject([{ payment_method: { id } }]);
  });
});

describe('an e-mail', () => {
  /** Without the comparison with the document, whose format `email` has ASCII alone. */
  const register = (body: object): Test =>
    request(service.server).post('/api/v1/auth/register').send(body);

  it('an e-mail is stored in NFC, and found in any form', async () => {
    const email = uniqueEmail().replace('text', 'münchen');
    const decomposed = email.normalize('NFD');
    const body = { email: decomposed.toUpperCase(), password: TEST_PASSWORD };
    const response = await register(body).expect(201);
    expect(response.body).toMatchObject({ email });
    for (const given of [email, decomposed, decomposed.toUpperCase()]) {
      await service.signIn(given);
      const again = await register({ ...body, email: given });
      expectError(again, 409, 'USER_ALREADY_EXISTS');
    }
  });

  it('an e-mail with white space or an invisible character is none', async () => {
    for (const character of [...INVISIBLE, '\u3000', '\u200d']) {
      for (const email of [`an${character}a@example.com`, `ana@exa${character}mple.com`]) {
        const body = { email, password: TEST_PASSWORD };
        const response = await service.anonymous.post('/auth/register', body);
        expectReason(response.body as Record<string, unknown>, 'email', 'not_an_email');
      }
    }
  });
});
