import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Test } from 'supertest';
import type { Client } from '../../support/client.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { databaseState } from '../../support/rejected-requests.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const HEADER = 'due_date,description,category,currency,amount,payment_method';
const OPTIONAL = ',comments,autopay_info,paid_at';

const service = useService();

interface Setup {
  user: Client;
  cycleId: string;
  importFile: (text: string, query?: string) => Test;
}

async function setUp(method: Record<string, unknown> = { name: 'Card' }): Promise<Setup> {
  const user = await service.signUp();
  await user.createPaymentMethod(method);
  const { id: cycleId } = await user.createCycle();
  const importFile = (text: string, query = ''): Test =>
    user.post(`/cycles/${cycleId}/expenses/import${query}`).type('text/csv').send(text);
  return { user, cycleId, importFile };
}

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');

describe('GET /cycles/{cycle_id}/expenses.csv', () => {
  it('GET /cycles/{cycle_id}/expenses.csv has every expense by due date, with its displayed status', async () => {
    const { user, cycleId } = await setUp();
    const { id: payment_method_id } = await user.createPaymentMethod({ name: '@Débito, "azul"' });
    const create = (body: object): Promise<{ id: string }> =>
      user.createExpense(cycleId, { payment_method_id, ...body });
    await create({ description: 'Late', due_date: '2026-01-20', comments: 'a\nb' });
    const paid = await create({ description: '=1+1', due_date: '2026-01-21', currency: 'MXN' });
    await user
      .put(`/cycles/${cycleId}/expenses/${paid.id}`, {
        paid_at: '2026-01-22T01:02:03Z',
        paid: true,
      })
      .expect(200);
    const cancelled = await create({ description: 'Súper', due_date: '2999-01-19' });
    await user
      .put(`/cycles/${cycleId}/expenses/${cancelled.id}`, { status: 'cancelled' })
      .expect(200);
    const { id: budget_id } = await user.createBudget({ name: '+Fun, etc' });
    const later = { description: 'Later', autopay_info: '-5', category: 'fixed', amount: '.5' };
    await create({ ...later, budget_id });

    const response = await user.get(`/cycles/${cycleId}/expenses.csv`).expect(200);
    expect(response.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.get('Content-Disposition')).toBe('attachment; filename="expenses.csv"');
    const method = `"'@Débito, ""azul"""`;
    expect(response.text).toBe(
      lines(
        'due_date,description,category,currency,amount,amount_usd,payment_method,status,paid_at,comments,autopay_info,budget',
        `2026-01-20,Late,variable,USD,100.00,100.00,${method},overdue,,"a\nb",,`,
        `2026-01-21,'=1+1,variable,MXN,100.00,5.00,${method},paid,2026-01-22T01:02:03.000Z,,,`,
        `2999-01-19,Súper,variable,USD,100.00,100.00,${method},cancelled,,,,`,
        `2999-02-01,Later,fixed,USD,0.50,0.50,${method},pending,,,'-5,"'+Fun, etc"`,
      ),
    );
  });

  it('GET /cycles/{cycle_id}/expenses.csv has the header alone for an empty cycle', async () => {
    const { user, cycleId } = await setUp();
    const { text } = await user.get(`/cycles/${cycleId}/expenses.csv`).expect(200);
    expect(text).toMatch(/^due_date,[a-z_,]+\r\n$/);
  });
});

describe('GET /cycles/{cycle_id}/expenses.csv?bom=true', () => {
  it('begins with a byte order mark, which an import skips', async () => {
    const { user, cycleId, importFile } = await setUp();
    await user.createExpense(cycleId, { description: 'Súper' });
    const read = async (query: string): Promise<Buffer> => {
      const response = await user
        .get(`/cycles/${cycleId}/expenses.csv${query}`)
        .buffer()
        .parse((message, done) => {
          const chunks: Buffer[] = [];
          message.on('data', (chunk: Buffer) => chunks.push(chunk));
          message.on('end', () => done(null, Buffer.concat(chunks)));
        });
      return response.body as Buffer;
    };
    const plain = await read('');
    expect(plain.toString()).toMatch(/^due_date/);
    expect(await read('?bom=false')).toEqual(plain);
    const marked = await read('?bom=true');
    expect(marked).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
    await importFile(marked.toString()).expect(200);
    expectInvalid(await user.get(`/cycles/${cycleId}/expenses.csv?bom=1`), 'bom');
  });
});

describe('POST /cycles/{cycle_id}/expenses/import', () => {
  it('POST /cycles/{cycle_id}/expenses/import takes a file as a spreadsheet writes it, with empty rows and columns', async () => {
    const { importFile } = await setUp();
    const rows = Array.from({ length: 2000 }, () => '2026-02-01,Dinner,fixed,USD,5,Card,,');
    const empty = Array.from({ length: 3000 }, () => ',,,,,,,');
    const file = lines(',,,,,,,', `${HEADER},,`, ...empty, ...rows, ...empty);
    const response = await importFile(file, '?dry_run=true').expect(200);
    expect(response.body).toMatchObject({ imported: 2000 });
    const refused = await importFile(lines('', `${HEADER},,`, `${rows[0]}x`));
    expectError(refused, 422, 'VALIDATION_ERROR', {
      rows: { 2: { 'column 8': ['column 8 has values, but no name in the header'] } },
      row_reasons: { 2: { 'column 8': ['unknown_field'] } },
    });
  });

  it('POST /cycles/{cycle_id}/expenses/import takes a value of white space for none', async () => {
    const { user, cycleId, importFile } = await setUp();
    const refused = await importFile(lines(HEADER, '2026-02-01, \u00a0,fixed,USD,5,Card'));
    expectError(refused, 422, 'VALIDATION_ERROR', {
      rows: { 2: { description: ['description is required'] } },
      row_reasons: { 2: { description: ['required'] } },
    });
    await importFile(lines(HEADER + OPTIONAL, '2026-02-01,a,fixed,USD,5,Card, , , ')).expect(200);
    const { expenses } = await user.expenses(cycleId);
    expect(expenses).toMatchObject([{ comments: null, autopay_info: null, paid_at: null }]);
  });

  it.each(['utf8', 'UTF8', '"utf-8"', 'UTF-8'])(
    'POST /cycles/{cycle_id}/expenses/import takes the charset %s, as JSON does',
    async (charset) => {
      const { user, cycleId } = await setUp();
      await user
        .post(`/cycles/${cycleId}/expenses/import`)
        .type(`text/csv; charset=${charset}`)
        .send(lines(HEADER, '2026-02-01,Súper,fixed,USD,5,Card'))
        .expect(200);
      await user
        .put(`/cycles/${cycleId}`)
        .type(`application/json; charset=${charset}`)
        .send('{"name":"Súper"}')
        .expect(200);
    },
  );

  it('POST /cycles/{cycle_id}/expenses/import adds the expenses in the order of the file, with an activity record of each', async () => {
    const { user, cycleId, importFile } = await setUp();
    const response = await importFile(
      lines(
        `payment_method,amount,currency,category,description,due_date${OPTIONAL},status,amount_usd`,
        `card,100.00,MXN,variable," '=1 ",2026-02-01,'+52,,2026-02-02T00:00:00+02:00,overdue,9`,
        `Card,.5,USD,fixed,Súper,2026-02-01,,Auto,,cancelled,`,
      ),
    );
    expect([response.status, response.body]).toEqual([
      200,
      { imported: 2, total_amount_usd: '5.50', remaining_balance: '4994.50' },
    ]);
    const { expenses, summary } = await user.expenses(cycleId);
    expect(expenses).toMatchObject([
      {
        description: "'=1",
        currency: 'MXN',
        amount: '100.00',
        amount_usd: '5.00',
        category: 'variable',
        status: 'paid',
        paid: true,
        paid_at: '2026-02-01T22:00:00.000Z',
        comments: '+52',
        autopay_info: null,
        template_id: null,
        occurrence_date: null,
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        payment_method: { name: 'Card' },
      },
      { description: 'Súper', status: 'overdue', paid_at: null, autopay_info: 'Auto' },
    ]);
    expect(summary).toMatchObject({ total_amount_usd: '5.50', paid_amount: '5.00' });
    expect((await user.cycle(cycleId)).remaining_balance).toBe('4994.50');
    for (const { id, paid } of expenses) {
      expect(await user.activityOf('cycle_expense', id)).toMatchObject([
        { action: 'created', changes: { paid: { from: null, to: paid } } },
      ]);
    }
    await expectIntegrity(service.dataSource);
  });

  it('POST /cycles/{cycle_id}/expenses/import stores nothing with dry_run', async () => {
    const { importFile } = await setUp();
    const before = await databaseState(service);
    const file = lines(HEADER, '2026-02-01,Dinner,fixed,USD,5,Card');
    const response = await importFile(file, '?dry_run=true').expect(200);
    expect(response.body).toEqual({
      imported: 1,
      total_amount_usd: '5.00',
      remaining_balance: '4995.00',
    });
    expect(await databaseState(service)).toEqual(before);
    expect((await importFile(file, '?dry_run=false').expect(200)).body).toEqual(response.body);
  });

  it('POST /cycles/{cycle_id}/expenses/import takes a file without a row', async () => {
    const { importFile } = await setUp();
    expect((await importFile(HEADER).expect(200)).body).toEqual({
      imported: 0,
      total_amount_usd: '0.00',
      remaining_balance: '5000.00',
    });
  });

  it('POST /cycles/{cycle_id}/expenses/import takes 2,000 rows', async () => {
    const { user, cycleId, importFile } = await setUp();
    const row = '2026-02-01,Dinner,fixed,MXN,20.00,Card';
    const file = lines(HEADER, ...Array.from({ length: 2000 }, () => row));
    expect((await importFile(file).expect(200)).body).toMatchObject({
      imported: 2000,
      total_amount_usd: '2000.00',
    });
    expect((await user.cycle(cycleId)).remaining_balance).toBe('3000.00');
    expectError(await importFile(file + row), 413, 'VALIDATION_ERROR');
  });

  it('POST /cycles/{cycle_id}/expenses/import takes 1,000,000 bytes', async () => {
    const { importFile } = await setUp();
    const file = lines(HEADER, '2026-02-01,Dinner,fixed,USD,5,Card');
    const padded = file + '\n'.repeat(1_000_000 - file.length);
    await importFile(padded).expect(200);
    expectError(await importFile(`${padded}\n`), 413, 'VALIDATION_ERROR');
  });

  it('POST /cycles/{cycle_id}/expenses/import reports every invalid cell by line and column, and stores nothing', async () => {
    const { user, importFile } = await setUp();
    await user
      .createPaymentMethod({ name: 'Inactive' })
      .then(({ id }) => user.put(`/payment-methods/${id}`, { active: false }).expect(200));
    for (const name of ['TWO', 'Two']) await user.createPaymentMethod({ name });
    const before = await databaseState(service);
    const response = await importFile(
      lines(
        HEADER + OPTIONAL,
        '2026-02-01,Dinner,fixed,USD,5,Card,"two\r\nlines",,',
        ',,,,,,Lunch,,',
        '2026-02-30,Dinner,Fixed,EUR,-5,two,,,today',
        '2026-02-01,Dinner,fixed,MXN,0.05,inactive,,,',
        '',
        '2026-02-01,Dinner,fixed,USD,5,Nobody',
        `2026-02-01,${'x'.repeat(256)},fixed,USD,"1,000",TWO,${'x'.repeat(1001)},,`,
      ),
    );
    const messages = [expect.any(String)];
    expectError(response, 422, 'VALIDATION_ERROR', {
      rows: {
        4: {
          due_date: ['due_date is required'],
          description: ['description is required'],
          category: ['category is required'],
          currency: ['currency is required'],
          amount: ['amount is required'],
          payment_method: ['payment_method is required'],
        },
        5: {
          due_date: messages,
          category: messages,
          currency: messages,
          amount: messages,
          payment_method: [
            'payment_method must have the exact name, because several differ only in case',
          ],
          paid_at: messages,
        },
        6: {
          amount: [expect.stringMatching(/^amount cannot be converted: /)],
          payment_method: ['payment_method must be the name of an active payment method'],
        },
        8: { row: ['row must have 9 values, like the header'] },
        9: { description: messages, amount: messages, comments: messages },
      },
      row_reasons: {
        4: {
          due_date: ['required'],
          description: ['required'],
          category: ['required'],
          currency: ['required'],
          amount: ['required'],
          payment_method: ['required'],
        },
        5: {
          due_date: ['not_a_date'],
          category: ['not_an_option'],
          currency: ['not_an_option'],
          amount: ['not_an_amount'],
          payment_method: ['ambiguous'],
          paid_at: ['not_a_timestamp'],
        },
        6: { amount: ['not_convertible'], payment_method: ['not_found'] },
        8: { row: ['malformed'] },
        9: { description: ['too_long'], amount: ['not_an_amount'], comments: ['too_long'] },
      },
    });
    expect((response.body as { error: { message: string } }).error.message).toMatch(
      /^line 4: \w+ is required; line 4: /,
    );
    expect(await databaseState(service)).toEqual(before);
  });

  it('POST /cycles/{cycle_id}/expenses/import names the errors of the first 100 rows that have some, and counts the others', async () => {
    const { importFile } = await setUp();
    const valid = '2026-02-01,Dinner,fixed,USD,5,Card';
    const invalid = ['2026-02-01,,fixed,USD,5,Card', '2026-02-01,Dinner,fixed,USD,5,Nobody'];
    const details = async (count: number): Promise<{ rows: object; more?: number }> => {
      const rows = Array.from({ length: count }, (_, n) => [valid, invalid[n % 2] ?? '']);
      const response = await importFile(lines(HEADER, ...rows.flat()));
      expectError(response, 422, 'VALIDATION_ERROR');
      const body = response.body as { error: { details: { rows: object; more?: number } } };
      return body.error.details;
    };
    const all = await details(100);
    expect(Object.keys(all)).toEqual(['rows', 'row_reasons']);
    expect(Object.keys(all.rows)).toEqual(Array.from({ length: 100 }, (_, n) => `${2 * n + 3}`));
    const many = await details(901);
    expect(many).toEqual({ ...all, more: 801 });
  });

  it('POST /cycles/{cycle_id}/expenses/import has one message for each field', async () => {
    const { importFile } = await setUp();
    const text = 'x'.repeat(1001);
    const response = await importFile(
      lines(HEADER + OPTIONAL, `soon,${text},${text},${text},${text},${text},${text},${text},soon`),
    );
    const body = response.body as { error: { details: { rows: Record<string, object> } } };
    const messages = Object.values(body.error.details.rows[2] ?? {}) as string[][];
    expect(messages.map(({ length }) => length)).toEqual(Array(9).fill(1));
  });

  it.each([
    [
      'no required column',
      'due_date,description\n',
      1,
      ['category', 'currency', 'amount', 'payment_method'],
    ],
    ['an unknown column', `${HEADER},note\n`, 1, ['note']],
    ['another delimiter', `${HEADER.replaceAll(',', ';')}\n`, 1, expect.anything()],
    ['an open quote', `${HEADER}\n"x\n`, 2, ['row']],
  ])(
    'POST /cycles/{cycle_id}/expenses/import refuses a file with %s',
    async (_what, file, line, columns) => {
      const { importFile } = await setUp();
      const response = await importFile(file);
      expectError(response, 422, 'VALIDATION_ERROR');
      const { rows } = (response.body as { error: { details: { rows: Record<string, object> } } })
        .error.details;
      expect(Object.entries(rows).map(([at, found]) => [at, Object.keys(found)])).toEqual([
        [String(line), columns],
      ]);
    },
  );

  it.each(['', ' \r\n'])(
    'POST /cycles/{cycle_id}/expenses/import requires a body: %j',
    async (text) => {
      const { importFile } = await setUp();
      expectError(await importFile(text), 422, 'VALIDATION_ERROR', {
        fields: { body: ['body is required'] },
        reasons: { body: ['required'] },
      });
    },
  );

  it.each([
    ['application/json', '{}'],
    ['text/plain', HEADER],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['text/csv; charset=iso-8859-1', HEADER],
    ['text/csv', Buffer.from([0xff, 0x2c])],
  ])(
    'POST /cycles/{cycle_id}/expenses/import refuses the content %s with 415',
    async (type, body) => {
      const { user, cycleId } = await setUp();
      const path = `/cycles/${cycleId}/expenses/import`;
      expectError(await user.post(path).type(type).send(body), 415, 'VALIDATION_ERROR');
    },
  );

  it('POST /cycles/{cycle_id}/expenses/import takes no compressed file', async () => {
    const { user, cycleId } = await setUp();
    const sent = user
      .post(`/cycles/${cycleId}/expenses/import`)
      .set({ 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' });
    sent.write(gzipSync(lines(HEADER, '2026-02-01,Dinner,fixed,USD,5,Card')));
    expectError(await sent, 415, 'VALIDATION_ERROR');
  });

  it('POST /cycles/{cycle_id}/expenses/import matches a name exactly, or else the only active one in other case', async () => {
    const { user, cycleId, importFile } = await setUp({ name: 'ÑANDÚ' });
    const { id } = await user.createPaymentMethod({ name: 'Ñandú' });
    const file = (name: string): string => lines(HEADER, `2026-02-01,Dinner,fixed,USD,5,${name}`);
    await importFile(file('Ñandú')).expect(200);
    expectError(await importFile(file('ñandú')), 422, 'VALIDATION_ERROR');
    await user.put(`/payment-methods/${id}`, { active: false }).expect(200);
    await importFile(file('ñandú')).expect(200);
    expectError(await importFile(file('Ñandú')), 422, 'VALIDATION_ERROR');
    const { expenses } = await user.expenses(cycleId);
    expect(expenses.map(({ payment_method: { name } }) => name)).toEqual(['Ñandú', 'ÑANDÚ']);
  });

  it('POST /cycles/{cycle_id}/expenses/import checks the file, then the cycle, then what depends on stored data', async () => {
    const { user, cycleId, importFile } = await setUp();
    const invalid = lines(HEADER, 'soon,Dinner,fixed,USD,5,Card');
    const unnamed = lines(HEADER, '2026-02-01,Dinner,fixed,USD,5,Nobody');
    const unknown = (file: string): Test =>
      user.post(`/cycles/${UNKNOWN_UUID}/expenses/import`).type('text/csv').send(file);
    expectError(await unknown(invalid), 422, 'VALIDATION_ERROR');
    expectError(await unknown(unnamed), 404, 'CYCLE_NOT_FOUND');
    await user.put(`/cycles/${cycleId}`, { status: 'completed' }).expect(200);
    expectError(await importFile(invalid), 422, 'VALIDATION_ERROR');
    for (const file of [unnamed, HEADER]) {
      expectError(await importFile(file), 409, 'CYCLE_ALREADY_COMPLETED');
      expectError(await importFile(file, '?dry_run=true'), 409, 'CYCLE_ALREADY_COMPLETED');
    }
  });
});
