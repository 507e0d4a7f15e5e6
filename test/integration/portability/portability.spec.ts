import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Test } from 'supertest';
import { MAX_BUDGETS } from '../../../src/budgets/budget.entity.js';
import type { CommentResponse } from '../../../src/comments/dto/comment.dto.js';
import { addDays } from '../../../src/platform/values/calendar-date.js';
import { SECTIONS } from '../../../src/portability/dto/document.dto.js';
import type { Section } from '../../../src/records/record-types.js';
import type { Client } from '../../support/client.js';
import {
  exportText,
  importDocument,
  importText,
  sampleDocument,
  withoutIdsAndTimes,
  type Document,
  type Row,
} from '../../support/data-document.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { expectIntegrity } from '../../support/integrity.js';
import { recordStatements } from '../../support/operation-statements.js';
import { race } from '../../support/races.js';
import { openSocket, parseResponses, sendRaw } from '../../support/raw-http.js';
import { useService } from '../../support/service.js';
import { itOnOneServer } from '../../support/test-database.js';

const service = useService();

const NO_DATA = {
  ...{ payment_methods: [], budgets: [], expense_templates: [], income_templates: [], cycles: [] },
  ...{ expenses: [], incomes: [], balances: [], card_statements: [], comments: [] },
};

const exported = async (user: Client): Promise<Document> =>
  JSON.parse(await exportText(user)) as Document;

describe('GET /export', () => {
  it('GET /export is a file with a version and empty arrays for a new user', async () => {
    const user = await service.signUp();
    const response = await user.get('/export').expect(200);
    expect(response.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(response.get('Content-Disposition')).toBe('attachment; filename="expenses.json"');
    expect(response.get('Content-Length')).toBe(String(Buffer.byteLength(response.text)));
    expect(response.body).toEqual({
      ...{ schema_version: 3, exported_at: expect.any(String) as unknown },
      ...NO_DATA,
    });
  });

  it("GET /export has no deleted entries and nothing of the user's household", async () => {
    const admin = await service.signUp();
    const member = await service.signUpMember(admin);
    const method = await admin.createPaymentMethod();
    const target = { entity_type: 'payment_method', entity_id: method.id };
    await member.post('/comments', { ...target, body: 'Theirs' }).expect(201);
    await admin.post('/comments', { ...target, body: 'Mine' }).expect(201);
    const deleted = await admin.createCycle({ generate_from_templates: false });
    await admin.createExpense(deleted.id, { payment_method_id: method.id });
    const cycle = await admin.createCycle({ generate_from_templates: false });
    const expense = await admin.createExpense(cycle.id, { payment_method_id: method.id });
    const comment = { entity_type: 'cycle_expense', entity_id: expense.id, body: 'Gone' };
    await admin.post('/comments', comment).expect(201);
    await admin.delete(`/cycles/${cycle.id}/expenses/${expense.id}`).expect(204);
    await admin.delete(`/cycles/${deleted.id}`).expect(204);

    const document = await exported(admin);
    expect(document.payment_methods.map(({ id }) => id)).toEqual([method.id]);
    expect(document.cycles.map(({ id }) => id)).toEqual([cycle.id]);
    expect(document.expenses).toEqual([]);
    expect(document.comments.map(({ body }) => body)).toEqual(['Mine']);
    expect(await exported(member)).toMatchObject(NO_DATA);
  });
});

describe('GET /export to a slow client', () => {
  const TIME_TO_READ_MS = 5 * 60_000;

  /** The temporary files of this process, which have no name any more. */
  const temporaryFiles = (): string[] =>
    readdirSync('/proc/self/fd')
      .map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          // It was closed in the meantime.
          return '';
        }
      })
      .filter((path) => path.includes('/expense-service-'));

  afterEach(() => {
    jest.useRealTimers();
  });

  it('GET /export to a slow client ends after five minutes, however the client reads, and closes the file', async () => {
    const user = await service.signUp();
    const document = sampleDocument();
    const text = 'ñ'.repeat(1000);
    document.expenses = withCopies(document, 'expenses', 1499).expenses.map((row) => ({
      ...{ ...row, comments: text, autopay_info: text.slice(0, 255) },
      description: text.slice(0, 255),
    }));
    await importDocument(user, document).expect(200);
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
    const { port } = service.server.address() as AddressInfo;
    const socket = await openSocket(port);
    const token = user.token ?? '';
    socket.write(
      `GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const head = (socket.read() as Buffer).toString();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(length).toBeGreaterThan(5_000_000);
    jest.advanceTimersByTime(TIME_TO_READ_MS - 1000);
    for (let byte = 0; byte < 20; byte++) {
      socket.read(1);
      await new Promise(setImmediate);
    }
    expect(temporaryFiles()).toHaveLength(1);
    jest.advanceTimersByTime(1001);
    jest.useRealTimers();
    await eventually('the file is closed', () => temporaryFiles().length === 0);
    let received = head.length;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(received).toBeLessThan(length);
  });
});

describe('POST /import', () => {
  it('POST /import adds the records with their sums, whatever the rates, and records their creation', async () => {
    const user = await service.signUp();
    const document = sampleDocument();
    const response = await importDocument(user, document).expect(200);
    expect(response.body).toEqual({
      imported: {
        ...{ payment_methods: 2, budgets: 1, expense_templates: 1, income_templates: 1 },
        ...{ cycles: 1, expenses: 1, incomes: 1, balances: 1, card_statements: 1, comments: 1 },
      },
    });
    const copy = await exported(user);
    for (const section of ['payment_methods', 'budgets', 'cycles', 'expenses'] as const) {
      expect(copy[section][0]?.id).not.toBe(document[section][0]?.id);
    }
    expect(copy.comments[0]?.id).not.toBe(document.comments[0]?.id);
    const id = String(copy.cycles[0]?.id);
    const budget = { id: copy.budgets[0]?.id, name: 'Home' };
    expect(await user.cycle(id)).toMatchObject({
      status: 'completed',
      remaining_balance: '504.00',
      budget_limits: [{ budget_id: budget.id, limit: '90.00' }],
    });
    expect((await user.expenses(id)).expenses).toMatchObject([{ budget }]);
    expect(await user.read('/expense-templates')).toMatchObject([{ budget }]);
    expect(await user.activityOf('budget', String(budget.id))).toMatchObject([
      { action: 'created', changes: { limit: { from: null, to: '500.00' } } },
    ]);
    const records = await user.activity(`cycle_id=${id}`);
    expect(records.map(({ action, entity_type }) => `${entity_type} ${action}`)).toEqual([
      'cycle created',
      'cycle_expense created',
      'cycle_income created',
      'cycle_expense commented',
    ]);
    const [comment] = await user.read<CommentResponse[]>(`/comments?cycle_id=${id}`);
    expect(comment).toMatchObject({ body: 'Paid late', cycle_id: id, edited_at: null });
    await expectIntegrity(service.dataSource);
  });

  it.each(['payment method', 'budget', 'income template', 'cycle'])(
    'POST /import refuses a user with a %s',
    async (kind) => {
      const user = await service.signUp();
      if (kind === 'payment method') await user.createPaymentMethod();
      else if (kind === 'budget') await user.createBudget();
      else if (kind === 'income template') await user.createIncomeTemplate();
      else await user.createCycle();
      const before = await exportText(user);
      expectError(await importDocument(user, sampleDocument()), 409, 'RESOURCE_CONFLICT');
      expectInvalid(await importDocument(user, { ...sampleDocument(), cycles: 1 }), 'cycles');
      expect(withoutIdsAndTimes(await exportText(user))).toBe(withoutIdsAndTimes(before));
    },
  );

  it('POST /import accepts a user whose only cycle is deleted', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle({ name: 'One' });
    await user.delete(`/cycles/${id}`).expect(204);
    await importDocument(user, sampleDocument()).expect(200);
  });

  it('POST /import is sent again for the same Idempotency-Key and bytes', async () => {
    const user = await service.signUp();
    const document = sampleDocument();
    const first = await importDocument(user, document).set('Idempotency-Key', 'k').expect(200);
    const again = await importDocument(user, document).set('Idempotency-Key', 'k').expect(200);
    expect(again.get('Idempotent-Replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    const other = await importDocument(user, sampleDocument()).set('Idempotency-Key', 'k');
    expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect((await exported(user)).cycles).toHaveLength(1);
    // The document is checked before the key, so that no transaction waits for the check.
    const invalid = importDocument(user, { ...document, cycles: 1 });
    expectInvalid(await invalid.set('Idempotency-Key', 'k'), 'cycles');
  });

  it('POST /import reads compressed bodies and a byte order mark, and compares the bytes without compression', async () => {
    const user = await service.signUp();
    const text = `\uFEFF${JSON.stringify(sampleDocument(), null, 2)}`;
    const first = await importText(user, gzipSync(text))
      .set({ 'Content-Encoding': 'gzip', 'Idempotency-Key': 'k' })
      .expect(200);
    for (const [coding, bytes] of [
      ['deflate', deflateSync(text)],
      ['identity', Buffer.from(text)],
    ] as const) {
      const again = await importText(user, bytes)
        .set({ 'Content-Encoding': coding, 'Idempotency-Key': 'k' })
        .expect(200);
      expect([coding, again.get('Idempotent-Replayed')]).toEqual([coding, 'true']);
      expect(again.text).toBe(first.text);
    }
  });

  it('POST /import takes as many statements for many rows as for one', async () => {
    const counts: number[] = [];
    for (const rows of [1, 100]) {
      const user = await service.signUp();
      const document = sampleDocument();
      for (const section of SECTIONS) {
        const [first] = document[section];
        const most = section === 'budgets' ? MAX_BUDGETS : rows;
        const copies = Array.from({ length: Math.min(rows, most) - 1 }, (_, n) => ({
          ...{ ...first, id: randomUUID(), template_id: null, occurrence_date: null },
          ...{ name: `Name ${n}`, generated: null, ...datesOfStatement(n) },
        }));
        const fields = Object.keys(first ?? {});
        document[section].push(
          ...copies.map((copy) =>
            Object.fromEntries(Object.entries(copy).filter(([field]) => fields.includes(field))),
          ),
        );
      }
      await service.invalidateUserCache(user);
      const [identified, ...statements] = await recordStatements(service, () =>
        importDocument(user, document).expect(200),
      );
      expect(identified?.sql).toContain('LEFT JOIN sessions');
      counts.push(statements.length);
    }
    expect(counts).toEqual([25, 25]);
  });

  it('POST /import takes the members in any order', async () => {
    const user = await service.signUp();
    const members = Object.entries(sampleDocument()).reverse();
    await importDocument(user, Object.fromEntries(members)).expect(200);
    expect((await exported(user)).comments).toHaveLength(1);
  });

  it('imports only once, of two at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await service.signUp();
      const responses = await race([1, 2].map(() => importDocument(user, sampleDocument())));
      const [first, second] = responses.map(({ status }) => status).sort();
      expect(first).toBe(200);
      // There are data already, or the first import of the user, or of the process, is running.
      expect([409, 429, 503]).toContain(second);
      expect((await exported(user)).cycles).toHaveLength(1);
    }
    await expectIntegrity(service.dataSource);
  });

  it('POST /import runs one at a time, and refuses further ones with the time to wait', async () => {
    const users = [await service.signUp(), await service.signUp(), await service.signUp()];
    const document = withCopies(sampleDocument(), 'expenses', 1500);
    const responses = await race(users.map((user) => importDocument(user, document)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
    for (const [index, user] of users.entries()) {
      const response = responses[index];
      if (response?.status !== 503) continue;
      expectError(response, 503, 'SERVICE_UNAVAILABLE', { retry_after: 5 });
      expect(response.get('Retry-After')).toBe('5');
      expect(await exported(user)).toMatchObject(NO_DATA);
      await importDocument(user, sampleDocument()).expect(200);
    }
  });

  it.each(['invalid', 'sent with data in the account'])(
    'POST /import can be followed by another one where it is %s',
    async (kind) => {
      const user = await service.signUp();
      if (kind === 'invalid') expectInvalid(await importDocument(user, []), 'body');
      else {
        await user.createPaymentMethod();
        expectError(await importDocument(user, sampleDocument()), 409, 'RESOURCE_CONFLICT');
      }
      await importDocument(await service.signUp(), sampleDocument()).expect(200);
    },
  );

  it('POST /import lets other requests run while it runs', async () => {
    const user = await service.signUp();
    const document = withCopies(sampleDocument(), 'expenses', 1999);
    const isDone = importDocument(user, document).then(({ status }) => expect(status).toBe(200));
    let [count, running] = [0, true];
    const stop = isDone.finally(() => (running = false));
    while (running) {
      await service.anonymous.get('/health/live');
      count += 1;
    }
    await stop;
    expect(count).toBeGreaterThan(10);
  });

  // On Citus, the lock of the user does not delay the foreign keys of the workers: both take
  // effect.
  itOnOneServer.each(['Card', 'Other'])(
    'POST /import comes before or after a new payment method %s',
    async (name) => {
      for (let round = 0; round < 8; round++) {
        const user = await service.signUp();
        const method = { name, method_type: 'cash', default_currency: 'USD' };
        const [imported, created] = await race([
          importDocument(user, sampleDocument()),
          user.post('/payment-methods', method),
        ]);
        const { payment_methods: methods } = await exported(user);
        const names = methods.map((row) => row.name).sort();
        if (imported?.status === 409) {
          expect([created?.status, names]).toEqual([201, [name]]);
        } else {
          expect(imported?.status).toBe(200);
          const isTaken = name === 'Card';
          expect(created?.status).toBe(isTaken ? 409 : 201);
          expect(names).toEqual(isTaken ? ['Card', 'Visa'] : ['Card', 'Other', 'Visa']);
        }
      }
      await expectIntegrity(service.dataSource);
    },
  );
});

/** Texts made from a valid document, with the place of their problem. */
const TEXTS: [string, string, (document: Document) => object | string][] = [
  ['a missing version', 'schema_version', ({ schema_version: _version, ...d }) => d],
  ['a missing time', 'exported_at', ({ exported_at: _time, ...d }) => d],
  ['an unknown member', 'users', (d) => ({ ...d, users: [] })],
  ['a prototype key', '__proto__', (d) => JSON.stringify(d).replace(/}$/, ',"__proto__":1}')],
  ['a missing section', 'comments', ({ comments: _comments, ...d }) => d],
  ['an array', 'body', () => [1]],
  ['a number', 'body', () => '1'],
  ['null', 'body', () => 'null'],
  ['a deeply nested row', 'body', (d) => withComment(d, '['.repeat(1e6) + ']'.repeat(1e6))],
  ['a deeply nested field', 'body', (d) => withComment(d, nestedObject(1e5))],
  // Within the document and its array of comments.
  ['31 levels of a row', 'body', (d) => withComment(d, nestedObject(31))],
  ['30 levels of a row', 'comments.0.a', (d) => withComment(d, nestedObject(30))],
  ['too many values', 'body', (d) => withComment(d, `[${'0,'.repeat(5e5)}0]`)],
  ['open arrays', 'body', () => '['.repeat(1e6)],
  ['too many values that are no JSON', 'body', () => ','.repeat(5e5 + 1)],
  ['a nested field', 'comments.0.a', (d) => withComment(d, nestedObject(20))],
  [
    'a prototype key in a row',
    'cycles.0.__proto__',
    (d) => JSON.stringify(d).replace('"name":"One"', '"name":"One","__proto__":{"a":1}'),
  ],
  [
    'an infinite amount',
    'incomes.0.amount',
    (d) => JSON.stringify(d).replace('"amount":"9.00"', '"amount":1e999'),
  ],
];

const nestedObject = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

/** The text of the document with another text of its comments. */
const withComment = (document: Document, row: string): string =>
  JSON.stringify({ ...document, comments: [] }).replace('"comments":[', `"comments":[${row}`);

/** Texts made from a valid document that are not JSON. */
const NO_JSON: [string, (document: string) => string][] = [
  ['white space', () => ' '],
  ['truncated text', (d) => d.slice(0, -2)],
  ['a truncated row', (d) => d.slice(0, -9)],
  ['text after the end', (d) => `${d}\n1`],
  ['unquoted text', (d) => d.replace('"One"', 'One')],
  ['single quotes', (d) => d.replace('"paid"', "'paid'")],
  ['brackets and commas in a text', () => `"${'[,\\\\\\"'.repeat(5e5)}`],
  ['closed arrays', () => ']'.repeat(1e6)],
];

/** Adds copies of the first row of a section, which no template has generated. */
function withCopies(document: Document, section: Section, count: number): Document {
  const manual = { template_id: null, occurrence_date: null, generated: null };
  const copies = Array.from({ length: count }, (_, n): Row => {
    const row: Row = { ...document[section][0], id: randomUUID() };
    if ('cycle_id' in row) Object.assign(row, manual);
    if ('name' in row) row.name = `Name ${n}`;
    if ('closing_date' in row) Object.assign(row, datesOfStatement(n));
    return row;
  });
  return { ...document, [section]: [...document[section], ...copies] };
}

/** Of a statement before the one of the sample, another one for each number. */
function datesOfStatement(n: number): Row {
  const closing_date = addDays('2024-01-12', -n);
  return { from: closing_date, closing_date, due_date: addDays(closing_date, 1) };
}

type Change = (document: Document) => unknown;

const copyOf =
  (section: keyof typeof NO_DATA, fields: Row): Change =>
  (document) => ({ ...document[section][0], ...fields });

/** Values that are wrong in their place; functions make them from the document. */
const VALUES: [string, string, unknown][] = [
  ['another version', 'schema_version', 4],
  ['the version as text', 'schema_version', '1'],
  ['a section that is not an array', 'incomes', {}],
  ['a row that is null', 'cycles.1', null],
  ['a row that is an array', 'cycles.1', []],
  ['a row that is too long', 'incomes.0', 'x'.repeat(300_000)],
  ['an unknown field', 'cycles.0.x', 1],
  ['U+0000', 'cycles.0.name', 'a\0'],
  ['a lone surrogate', 'comments.0.body', '\ud800'],
  ['a long text', 'cycles.0.name', 'x'.repeat(101)],
  ['an id that is none', 'cycles.0.id', '1'],
  ['reversed dates', 'cycles.0.end_date', '2026-01-01'],
  ['a long cycle', 'cycles.0.end_date', '2027-01-01'],
  ['an unknown status', 'cycles.0.status', 'done'],
  ['a negative amount', 'expenses.0.amount', '-1'],
  ['a large amount', 'incomes.0.amount', '1000000000.00'],
  ['a wrong conversion', 'expenses.0.amount_usd', '5.01'],
  ['a conversion of USD', 'incomes.0.exchange_rate', { rate: '1', rate_date: '2026-01-01' }],
  ['another amount in USD', 'incomes.0.amount_usd', '8.00'],
  ['a negative rate', 'expenses.0.exchange_rate.rate', '-0.05'],
  ['paid without a time', 'expenses.0.paid_at', null],
  ['an occurrence without a template', 'expenses.0.template_id', null],
  ['an occurrence without its values', 'expenses.0.generated', null],
  ['a wrong generated value', 'expenses.0.generated.amount', 0],
  ['a wrong rule', 'expense_templates.0.recurrence_config.day_of_month', 32],
  ['an unknown cycle', 'incomes.0.cycle_id', randomUUID()],
  ['an income template', 'expenses.0.template_id', (d: Document) => d.income_templates[0]?.id],
  ['no payment method', 'expense_templates.0.payment_method_id', (d: Document) => d.cycles[0]?.id],
  ['no budget', 'expense_templates.0.budget_id', randomUUID()],
  [
    'a payment method as a budget',
    'expenses.0.budget_id',
    (d: Document) => d.payment_methods[0]?.id,
  ],
  ['a limit of no budget', 'cycles.0.budget_limits.0.budget_id', randomUUID()],
  ['a limit of zero', 'cycles.0.budget_limits.0.limit', '0.00'],
  ['a negative limit', 'budgets.0.limit', '-1'],
  ['a balance of no payment method', 'balances.0.payment_method_id', randomUUID()],
  ['a balance that is too large', 'balances.0.amount', '-1000000000'],
  ['an expected balance that is no text', 'balances.0.expected', 5],
  ['an expected balance that is too large', 'balances.0.expected', `1${'0'.repeat(28)}`],
  ['a balance of the future', 'balances.0.stated_at', '2999-01-01T00:00:00Z'],
  ['a deleted balance', 'balances.0.active', false],
  ['a repeated balance', 'balances.1', copyOf('balances', {})],
  [
    'a card of another kind',
    'payment_methods.1.closing_day',
    (d: Document) => {
      Object.assign(d.payment_methods[1] ?? {}, { method_type: 'debit' });
      return 12;
    },
  ],
  ['a card without days until it is due', 'payment_methods.1.due_day', null],
  ['a card with both of them', 'payment_methods.1.due_days_after', 20],
  ['days without a closing', 'payment_methods.0.due_day', 2],
  ['a first closing that is none', 'payment_methods.1.first_closing_date', '2024-01-13'],
  ['a first closing before there were cards', 'payment_methods.1.first_closing_date', '2019-12-12'],
  ['a first closing that is far', 'payment_methods.1.first_closing_date', '2900-01-12'],
  ['a first closing without days', 'payment_methods.0.first_closing_date', '2024-01-12'],
  ['a card that is paid from no payment method', 'payment_methods.1.paid_from_id', randomUUID()],
  [
    'a card that is paid from itself',
    'payment_methods.1.paid_from_id',
    (d: Document) => d.payment_methods[1]?.id,
  ],
  [
    'an account that is paid from a card',
    'payment_methods.0.paid_from_id',
    (d: Document) => d.payment_methods[1]?.id,
  ],
  ['a statement of no payment method', 'card_statements.0.payment_method_id', randomUUID()],
  ['a statement that begins later', 'card_statements.0.closing_date', '2024-01-12'],
  [
    'a statement that closes in a year or more',
    'card_statements.0.closing_date',
    (d: Document) => {
      const unpaid = { stated_amount: null, amount: null, paid: false, paid_at: null };
      Object.assign(d.card_statements[0] ?? {}, {
        ...{ ...unpaid, paid_amount: null, due_date: '2998-02-02' },
      });
      return '2998-01-12';
    },
  ],
  ['a statement that is due when it closes', 'card_statements.0.due_date', '2024-02-12'],
  ['a statement that is due much later', 'card_statements.0.due_date', '2024-05-13'],
  ['a statement that is paid without a time', 'card_statements.0.paid_at', null],
  ['a statement that is paid without an amount', 'card_statements.0.amount', null],
  ['a statement that is paid with nothing known', 'card_statements.0.paid_amount', null],
  ['a statement that is paid with less than nothing', 'card_statements.0.paid_amount', '-1'],
  ['an amount of a statement that is no text', 'card_statements.0.amount', 5],
  ['a deleted statement', 'card_statements.0.active', false],
  ['sections that are null', 'card_statements', null],
  ['a repeated statement', 'card_statements.1', copyOf('card_statements', { id: randomUUID() })],
  [
    'a repeated id of a statement',
    'card_statements.1',
    copyOf('card_statements', { closing_date: '2024-02-13' }),
  ],
  ['an unknown generated id', 'expenses.0.generated.payment_method_id', randomUUID()],
  ['a comment on nothing', 'comments.0.entity_id', randomUUID()],
  ['a repeated name', 'cycles.1', copyOf('cycles', { id: randomUUID() })],
  ['a repeated id', 'payment_methods.2', copyOf('payment_methods', { name: 'B' })],
  ['a repeated name of a budget', 'budgets.1', copyOf('budgets', { id: randomUUID() })],
  ['a repeated occurrence', 'expenses.1', copyOf('expenses', { id: randomUUID() })],
  ['a repeated comment', 'comments.1', copyOf('comments', {})],
];

function withValue(document: Document, path: string, value: unknown): Document {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Row>((object, key) => object[key] as Row, document);
  parent[last] = typeof value === 'function' ? (value as Change)(document) : value;
  return document;
}

describe('a damaged or hostile document', () => {
  let user: Client;

  beforeAll(async () => {
    user = await service.signUp();
  });

  async function expectRefused(text: string | Buffer, ...paths: string[]): Promise<void> {
    expectInvalid(await importText(user, text), ...paths);
    expect(await exported(user)).toMatchObject(NO_DATA);
  }

  it.each(TEXTS)(
    'a damaged or hostile document is refused with its place: %s',
    async (_name, path, change) => {
      const changed = change(sampleDocument());
      await expectRefused(typeof changed === 'string' ? changed : JSON.stringify(changed), path);
    },
  );

  it.each(VALUES)(
    'a damaged or hostile document is refused with its place: %s',
    async (_name, path, value) => {
      await expectRefused(JSON.stringify(withValue(sampleDocument(), path, value)), path);
    },
  );

  it.each(NO_JSON)(
    'a damaged or hostile document is reported as malformed: %s',
    async (_name, change) => {
      const text = change(JSON.stringify(sampleDocument()));
      expectError(await importText(user, text), 400, 'VALIDATION_ERROR');
      expect(await exported(user)).toMatchObject(NO_DATA);
    },
  );

  it('a damaged or hostile document is refused with invalid UTF-8', async () => {
    const text = JSON.stringify(sampleDocument()).replace('Paid late', '\xff');
    const response = await importText(user, Buffer.from(text, 'latin1'));
    expectError(response, 415, 'VALIDATION_ERROR');
  });

  it('a damaged or hostile document is refused without a body', async () => {
    expectInvalid(await user.send('post', '/import').type('json'), 'body');
  });

  it('a damaged or hostile document is refused with the places of all its wrong members', async () => {
    await expectRefused(
      '{"cycles":1,"schema_version":4,"a":[],"exported_at":3,"expenses":[]}',
      ...[
        ...['schema_version', 'exported_at', 'payment_methods', 'expense_templates'],
        ...['income_templates', 'cycles', 'incomes', 'comments', 'a'],
      ],
    );
  });

  it.each([
    ['expenses', {}, 'not_an_array'],
    ['cycles', null, 'not_an_array'],
    ['comments', 'x', 'not_an_array'],
    ['exported_at', 3, 'not_a_timestamp'],
    ['exported_at', null, 'not_a_timestamp'],
    ['exported_at', {}, 'not_a_timestamp'],
    ['exported_at', 'yesterday', 'not_a_timestamp'],
    ['exported_at', '2026-02-30T00:00:00Z', 'not_a_timestamp'],
    ['exported_at', '2026-01-01T00:00:00', 'not_a_timestamp'],
  ])('a document whose %s is %j is refused as %s', async (member, value, reason) => {
    const response = await importDocument(user, { ...sampleDocument(), [member]: value });
    expectInvalid(response, member);
    expect(response.body).toMatchObject({
      error: { details: { reasons: { [member]: [reason] } } },
    });
  });

  it('a damaged or hostile document is refused with the places of the rows that repeat others or refer to none', async () => {
    const document = sampleDocument();
    document.cycles.push({ ...document.cycles[0] });
    document.incomes.push({ ...document.incomes[0], cycle_id: randomUUID(), template_id: null });
    document.comments.push({ ...document.comments[0], entity_type: 'cycle' });
    await expectRefused(
      JSON.stringify(document),
      ...['cycles.1', 'incomes.1', 'incomes.1.cycle_id', 'comments.1', 'comments.1.entity_id'],
    );
  });

  it('a damaged or hostile document is refused for rows that could not be validated quickly', async () => {
    const document = sampleDocument();
    const wide = (width: number, length: number): Row =>
      Object.fromEntries(Array.from({ length: width }, (_, n) => [`x${n}`.padEnd(length), n]));
    document.cycles.push(wide(900, 300), { ...document.cycles[0], name: 'x'.repeat(1_000_000) });
    await expectRefused(JSON.stringify(document), 'cycles.1', 'cycles.2');
    document.cycles.push(wide(30_000, 6));
    await expectRefused(JSON.stringify(document), 'body');
  });

  it.each<[Section, number]>([
    ['payment_methods', 1000],
    ['budgets', 50],
    ['expense_templates', 1000],
    ['income_templates', 1000],
    ['cycles', 1000],
    ['expenses', 2000],
    ['incomes', 2000],
    ['balances', 5000],
    ['card_statements', 1000],
    ['comments', 1000],
  ])(
    'a damaged or hostile document is refused at the first row too many: %s',
    async (section, max) => {
      const document = withCopies(sampleDocument(), section, max + 1);
      const response = await importDocument(user, document);
      expectError(response, 422, 'VALIDATION_ERROR', {
        fields: { [`${section}.${max}`]: [expect.stringContaining(`${max} ${section}`)] },
        reasons: { [`${section}.${max}`]: ['too_many'] },
      });
      document[section].splice(max);
      await importDocument(await service.signUp(), document).expect(200);
    },
  );

  it('a document may have more expenses in all cycles than in one', async () => {
    const document = withCopies(sampleDocument(), 'cycles', 1);
    const cycle_id = document.cycles[1]?.id;
    const rows = withCopies(document, 'expenses', 2200).expenses;
    const expenses = rows.map((row, n) => (n < 1500 ? row : { ...row, cycle_id }));
    await importDocument(await service.signUp(), { ...document, expenses }).expect(200);
    const upper = String(cycle_id).toUpperCase();
    const others = withCopies(document, 'expenses', 2001).expenses.slice(1);
    const same = others.map((row, n) => ({ ...row, cycle_id: n % 2 ? cycle_id : upper }));
    await expectRefused(JSON.stringify({ ...document, expenses: same }), 'expenses.2000');
  });

  it('a damaged or hostile document names the first 20 rows with a problem', async () => {
    const cycles = Array.from({ length: 30 }, () => ({}));
    const response = await importDocument(user, { ...sampleDocument(), cycles });
    const { fields } = (response.body as { error: { details: { fields: object } } }).error.details;
    expect(Object.keys(fields).length).toBeGreaterThanOrEqual(20);
    expect(Object.keys(fields).length).toBeLessThan(40);
  });

  it('a damaged or hostile document is refused as a whole when its last row is wrong, after many batches', async () => {
    const document = withCopies(sampleDocument(), 'cycles', 900);
    document.cycles.push({ ...document.cycles[0], id: randomUUID(), name: 'Name 3' });
    await expectRefused(JSON.stringify(document), 'cycles.901');
    document.cycles.pop();
    await importDocument(await service.signUp(), document).expect(200);
  });

  it('a damaged or hostile document is not read without a valid token, and not beyond 10,000,000 bytes', async () => {
    const { port } = service.server.address() as AddressInfo;
    const send = async (token: string, length: number): Promise<number | undefined> => {
      const head = [
        ...['POST /api/v1/import HTTP/1.1', 'Host: x', 'Content-Type: application/json'],
        ...[`Authorization: Bearer ${token}`, `Content-Length: ${length}`, 'Connection: close'],
      ];
      // Without the body, which the server must not wait for.
      const bytes = await sendRaw(port, `${head.join('\r\n')}\r\n\r\n`);
      return parseResponses(bytes, 'POST')[0]?.status;
    };
    expect(await send('x', 9_000_000)).toBe(401);
    expect(await send(user.token ?? '', 10_000_001)).toBe(413);
    const bomb = gzipSync(Buffer.alloc(10_100_000, ' '));
    const response = await importText(user, bomb).set('Content-Encoding', 'gzip');
    expectError(response, 413, 'VALIDATION_ERROR');
  });

  it('a damaged or hostile document is refused in another encoding', async () => {
    const send = (coding: string, body: Buffer): Test =>
      importText(user, body).set('Content-Encoding', coding);
    const text = Buffer.from(JSON.stringify(sampleDocument()));
    for (const coding of ['compress', 'br']) {
      const response = await send(coding, brotliCompressSync(text));
      expectError(response, 415, 'VALIDATION_ERROR');
      expect(response.get('Accept-Encoding')).toBe('gzip, deflate');
    }
    for (const coding of ['gzip', 'deflate']) {
      expect([coding, (await send(coding, text)).status]).toEqual([coding, 400]);
    }
    expect((await send('gzip', gzipSync(text).subarray(0, 99))).status).toBe(400);
    for (const type of ['text/csv', 'application/json; charset=utf-16']) {
      const other = await importText(user, text).type(type);
      expectError(other, 415, 'VALIDATION_ERROR');
    }
  });
});
