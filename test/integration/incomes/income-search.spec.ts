import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  FoundIncomeResponse,
  IncomePageResponse,
} from '../../../src/incomes/dto/income-search.dto.js';
import type { Client } from '../../support/client.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('GET /incomes', () => {
  let user: Client;
  let all: FoundIncomeResponse[];
  let account: string;
  let budget: string;
  let template: string;

  const search = (query = ''): Promise<IncomePageResponse> => user.read(`/incomes${query}`);

  beforeAll(async () => {
    user = await service.signUp();
    account = (await user.createPaymentMethod()).id;
    budget = (await user.createBudget()).id;
    template = (await user.createIncomeTemplate()).id;
    const spring = await user.createCycle({ name: 'Spring' });
    const summer = await user.createCycle({ name: 'Summer', generate_from_templates: false });
    const add = (cycleId: string, description: string, body: object): Promise<{ id: string }> =>
      user.createIncome(cycleId, { description, amount: '10.00', ...body });
    await add(summer.id, 'Devolución', { income_date: '2999-02-03', budget_id: budget });
    await add(spring.id, 'Pesos', { income_date: '2999-02-01', currency: 'MXN' });
    await add(summer.id, 'Straße', {
      ...{ income_date: '2999-02-01', payment_method_id: account, received: true },
    });
    const deleted = await add(spring.id, 'Deleted', {});
    await user.delete(`/cycles/${spring.id}/incomes/${deleted.id}`).expect(204);
    const gone = await user.createCycle({ name: 'Gone' });
    await user.delete(`/cycles/${gone.id}`).expect(204);
    await user.put(`/cycles/${summer.id}`, { status: 'active' }).expect(200);
    const completed = await user.createCycle({ name: 'Closed', generate_from_templates: false });
    await add(completed.id, 'Old', { income_date: '2026-01-05' });
    await user.put(`/cycles/${completed.id}`, { status: 'completed' }).expect(200);
    const other = await service.signUpMember(user);
    await other.createIncome((await other.createCycle()).id);
    all = (await search()).incomes;
  });

  it('GET /incomes lists the incomes of all cycles by income date, then creation', async () => {
    expect(all.map(({ description, income_date }) => `${description} ${income_date}`)).toEqual([
      'Old 2026-01-05',
      'Pay 2026-01-30',
      'Pay 2026-02-13',
      'Pay 2026-02-27',
      'Pesos 2999-02-01',
      'Straße 2999-02-01',
      'Devolución 2999-02-03',
    ]);
    const cycles = all.map(({ cycle: { name, status } }) => `${name} ${status}`);
    expect(new Set(cycles)).toEqual(new Set(['Closed completed', 'Spring draft', 'Summer active']));
    for (const { cycle, ...income } of all) {
      expect(await user.read(`/cycles/${cycle.id}/incomes/${income.id}`)).toEqual(income);
    }
  });

  it('GET /incomes has the totals of all pages', async () => {
    const summary = {
      total_amount_usd: '6030.50',
      received_amount: '10.00',
      expected_amount: '6020.50',
      total_count: 7,
    };
    const pagination = { page: 1, per_page: 20, total: 7, pages: 1 };
    expect(await search()).toEqual({ incomes: all, summary, pagination });
    expect(await search('?page=2&per_page=4')).toEqual({
      incomes: all.slice(4),
      summary,
      pagination: { page: 2, per_page: 4, total: 7, pages: 2 },
    });
    const past = await search('?page=3&per_page=4');
    expect(past).toMatchObject({ incomes: [], summary, pagination: { page: 3, total: 7 } });
    expect(await search('?q=nothing')).toEqual({
      incomes: [],
      summary: {
        total_amount_usd: '0.00',
        received_amount: '0.00',
        expected_amount: '0.00',
        total_count: 0,
      },
      pagination: { page: 1, per_page: 20, total: 0, pages: 0 },
    });
  });

  it('GET /incomes filters the incomes', async () => {
    const filters: [string, (income: FoundIncomeResponse) => boolean][] = [
      ['from=2999-02-02', ({ income_date }) => income_date >= '2999-02-02'],
      ['to=2999-02-01', ({ income_date }) => income_date <= '2999-02-01'],
      ['from=2999-02-03&to=2999-02-03', ({ income_date }) => income_date === '2999-02-03'],
      ['received=true', ({ received }) => received],
      ['received=false', ({ received }) => !received],
      ['currency=MXN', ({ currency }) => currency === 'MXN'],
      [`payment_method_id=${account}`, ({ payment_method }) => payment_method?.id === account],
      [`budget_id=${budget}`, (income) => income.budget?.id === budget],
      ['budget_id=none', (income) => income.budget === null],
      [`template_id=${template}`, ({ template_id }) => template_id === template],
      ['open_cycles=true', ({ cycle }) => cycle.status !== 'completed'],
      ['open_cycles=false', ({ cycle }) => cycle.status === 'completed'],
      ['q=DEVOLUCION', ({ description }) => description === 'Devolución'],
      ['q=strasse&received=true', ({ description }) => description === 'Straße'],
    ];
    for (const [query, isExpected] of filters) {
      const { incomes, summary } = await search(`?${query}`);
      expect([query, incomes]).toEqual([query, all.filter(isExpected)]);
      expect([query, summary.total_count]).toEqual([query, incomes.length]);
      expect(incomes.length).toBeGreaterThan(0);
    }
  });
});
