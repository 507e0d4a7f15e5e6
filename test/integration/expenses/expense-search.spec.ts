import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ExpensePageResponse,
  FoundExpenseResponse,
} from '../../../src/expenses/dto/expense-search.dto.js';
import type { Client } from '../../support/client.js';
import { copyRow } from '../../support/copied-rows.js';
import { foldedTextSql, UNUSUAL_TEXTS } from '../../support/folded-text.js';
import { useService } from '../../support/service.js';

const service = useService();

const NO_EXPENSES = {
  total_amount_usd: '0.00',
  fixed_amount: '0.00',
  variable_amount: '0.00',
  paid_amount: '0.00',
  pending_amount: '0.00',
  total_count: 0,
};

describe('GET /expenses', () => {
  let user: Client;
  let all: FoundExpenseResponse[];
  let card: string;
  let template: string;

  const search = (query = ''): Promise<ExpensePageResponse> => user.read(`/expenses${query}`);

  const descriptionsOf = async (query: string): Promise<string[]> =>
    (await search(query)).expenses.map(({ description }) => description);

  beforeAll(async () => {
    user = await service.signUp();
    card = (await user.createPaymentMethod()).id;
    template = (await user.createTemplate()).id;
    const spring = await user.createCycle({ name: 'Spring' });
    const summer = await user.createCycle({ name: 'Summer', generate_from_templates: false });
    const add = (cycleId: string, description: string, body: object) =>
      user.createExpense(cycleId, { description, amount: '10.00', ...body });
    await add(summer.id, 'Súper', { due_date: '2999-02-03', currency: 'MXN' });
    await add(spring.id, 'Gas', { due_date: '2999-02-01', category: 'fixed' });
    const paid = await add(summer.id, 'Luz', { due_date: '2999-02-01', payment_method_id: card });
    await user.put(`/cycles/${summer.id}/expenses/${paid.id}`, { paid: true }).expect(200);
    const cancelled = await add(spring.id, 'Cancelled', { due_date: '2999-02-02' });
    const path = `/cycles/${spring.id}/expenses/${cancelled.id}`;
    await user.put(path, { status: 'cancelled' }).expect(200);
    const deleted = await add(spring.id, 'Deleted', {});
    await user.delete(`/cycles/${spring.id}/expenses/${deleted.id}`).expect(204);
    const gone = await user.createCycle({ name: 'Gone' });
    await user.delete(`/cycles/${gone.id}`).expect(204);
    await user.put(`/cycles/${summer.id}`, { status: 'active' }).expect(200);
    const other = await service.signUpMember(user);
    await other.createExpense((await other.createCycle()).id);
    all = (await search()).expenses;
  });

  it('GET /expenses lists the expenses of all cycles by due date, then creation', async () => {
    expect(all.map(({ description, due_date }) => `${description} ${due_date}`)).toEqual([
      'Rent 2026-02-01',
      'Rent 2026-03-01',
      'Gas 2999-02-01',
      'Luz 2999-02-01',
      'Cancelled 2999-02-02',
      'Súper 2999-02-03',
    ]);
    for (const { cycle, ...expense } of all) {
      expect(cycle).toMatchObject(
        cycle.name === 'Spring'
          ? { name: 'Spring', status: 'draft' }
          : { name: 'Summer', status: 'active' },
      );
      expect(await user.read(`/cycles/${cycle.id}/expenses/${expense.id}`)).toEqual(expense);
    }
  });

  it('GET /expenses has the totals of all pages, without cancelled expenses', async () => {
    const summary = {
      total_amount_usd: '2420.50',
      fixed_amount: '2410.00',
      variable_amount: '10.50',
      paid_amount: '10.00',
      pending_amount: '2410.50',
      total_count: 6,
    };
    const pagination = { page: 1, per_page: 20, total: 6, pages: 1 };
    expect(await search()).toEqual({ expenses: all, summary, pagination });
    const second = await search('?page=2&per_page=4');
    expect(second).toEqual({
      expenses: all.slice(4),
      summary,
      pagination: { page: 2, per_page: 4, total: 6, pages: 2 },
    });
    const past = await search('?page=3&per_page=4');
    expect(past).toMatchObject({ expenses: [], summary, pagination: { page: 3, total: 6 } });
    expect(await search('?q=nothing')).toEqual({
      expenses: [],
      summary: NO_EXPENSES,
      pagination: { page: 1, per_page: 20, total: 0, pages: 0 },
    });
  });

  it('GET /expenses filters the expenses', async () => {
    const filters: [string, (expense: FoundExpenseResponse) => boolean][] = [
      ['from=2026-03-01', ({ due_date }) => due_date >= '2026-03-01'],
      ['to=2999-02-01', ({ due_date }) => due_date <= '2999-02-01'],
      ['from=2999-02-02&to=2999-02-02', ({ due_date }) => due_date === '2999-02-02'],
      ['status=pending', ({ status }) => status === 'pending'],
      ['status=overdue', ({ status }) => status === 'overdue'],
      ['status=cancelled', ({ status }) => status === 'cancelled'],
      ['category=fixed', ({ category }) => category === 'fixed'],
      ['currency=MXN', ({ currency }) => currency === 'MXN'],
      [`payment_method_id=${card}`, ({ payment_method }) => payment_method.id === card],
      [`template_id=${template}`, ({ template_id }) => template_id === template],
      [
        `template_id=${template}&from=2026-02-02`,
        ({ template_id, due_date }) => template_id === template && due_date >= '2026-02-02',
      ],
      ['open_cycles=true', () => true],
      ['q=luz&status=paid', ({ description }) => description === 'Luz'],
    ];
    for (const [query, isExpected] of filters) {
      const { expenses, summary } = await search(`?${query}`);
      expect([query, expenses]).toEqual([query, all.filter(isExpected)]);
      expect([query, summary.total_count]).toEqual([query, expenses.length]);
      expect(expenses.length).toBeGreaterThan(0);
    }
  });

  it('GET /expenses finds nothing by a text that is only accents', async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    await user.createExpense(cycle.id);
    const q = encodeURIComponent('\u0301\u0308');
    expect(await user.read(`/expenses?q=${q}`)).toMatchObject({
      expenses: [],
      pagination: { total: 0 },
    });
  });

  it('GET /expenses finds text without regard to case and accents', async () => {
    expect(await descriptionsOf('?q=super')).toEqual(['Súper']);
    expect(await descriptionsOf('?q=%20SÚPER%20')).toEqual(['Súper']);
    expect(await descriptionsOf(`?q=${encodeURIComponent('su\u0301p')}`)).toEqual(['Súper']);
    expect(await descriptionsOf('?q=U')).toEqual(['Luz', 'Súper']);
    const { id } = await user.createCycle({ name: 'Words' });
    try {
      const words = ['ÑANDÚ', 'Łódź', '100% _real_', 'Ab\\c', "D'Arc", '咖啡', 'Жук'];
      for (const description of words) await user.createExpense(id, { description });
      const found: Record<string, string[]> = {
        nandu: ['ÑANDÚ'],
        lodz: ['Łódź'],
        '%': ['100% _real_'],
        _: ['100% _real_'],
        'b\\': ['Ab\\c'],
        "d'a": ["D'Arc"],
        咖: ['咖啡'],
        жук: ['Жук'],
      };
      for (const [text, expected] of Object.entries(found)) {
        expect(await descriptionsOf(`?q=${encodeURIComponent(text)}`)).toEqual(expected);
      }
    } finally {
      await user.delete(`/cycles/${id}`).expect(204);
    }
  });

  it('GET /expenses finds text whatever its white space, and ss for ß', async () => {
    const { id } = await user.createCycle({ name: 'Spaces' });
    try {
      const spaced = ['Taxi centro', 'Taxi\u00a0 centro', 'Taxi\t\u2009\u3000centro', 'Taxicentro'];
      const streets = ['Straße 1', 'STRASSE 1', 'STRAẞE 1', 'Strase 1'];
      for (const description of [...spaced, ...streets]) {
        await user.createExpense(id, { description });
      }
      for (const text of [
        'taxi  centro',
        'taxi\u00a0centro',
        'i\u202f\u0085\u2028 C',
        ' taxi centro ',
      ]) {
        expect(await descriptionsOf(`?q=${encodeURIComponent(text)}`)).toEqual(spaced.slice(0, 3));
      }
      for (const text of ['strasse', 'straße', 'STRAẞE\u2003']) {
        expect(await descriptionsOf(`?q=${encodeURIComponent(text)}`)).toEqual(streets.slice(0, 3));
      }
    } finally {
      await user.delete(`/cycles/${id}`).expect(204);
    }
  });

  it('GET /expenses finds the same as before descriptions were stored for it', async () => {
    const user = await service.signUp();
    const cycle = await user.createCycle();
    const { id } = await user.createExpense(cycle.id);
    await copyRow(service, 'cycle_expenses', id, { copies: UNUSUAL_TEXTS.length - 1 });
    await service.query(
      `UPDATE cycle_expenses e SET description = text.description
       FROM unnest($2::text[]) WITH ORDINALITY AS text(description, n),
         (SELECT id, row_number() OVER () AS n FROM cycle_expenses WHERE cycle_id = $1) AS numbered
       WHERE numbered.n = text.n AND e.id = numbered.id`,
      [cycle.id, UNUSUAL_TEXTS],
    );
    const before = `strpos(${foldedTextSql('description')}, nullif(${foldedTextSql('$2::text')}, '')) > 0`;
    for (const text of [...UNUSUAL_TEXTS, 'E', 'ss', 'I', 'σ', '\u0308e']) {
      const q = text.normalize('NFC').trim();
      if (q === '') continue;
      const expected = await service.query<{ description: string }>(
        `SELECT description FROM cycle_expenses WHERE cycle_id = $1 AND ${before}`,
        [cycle.id, q],
      );
      const { expenses } = await user.read<ExpensePageResponse>(
        `/expenses?per_page=100&q=${encodeURIComponent(q)}`,
      );
      const found = expenses.map(({ description }) => description);
      expect([q, found.sort()]).toEqual([q, expected.map((row) => row.description).sort()]);
    }
  });
});
