import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ExpenseClient } from '../../clients/typescript/src/index.js';
import { installTools } from '../support/generated-clients.js';
import { respondWithChanged, useRelay } from '../support/http-relay.js';
import { Prism } from '../support/prism.js';
import { TEST_PASSWORD, useService } from '../support/service.js';

describe('Prism, which validates requests and responses against the OpenAPI document', () => {
  const service = useService();
  const relay = useRelay(() => service.server);
  let proxy: Prism;
  let responses: Response[];
  let client: ExpenseClient;

  beforeAll(installTools, 240_000);

  beforeAll(async () => {
    proxy = await Prism.proxy(relay.url);
  });

  afterAll(() => proxy.stop());

  beforeEach(() => {
    responses = [];
    client = new ExpenseClient({
      baseUrl: proxy.url,
      maxRetries: 0,
      fetch: async (request, init) => {
        const response = await fetch(request, init);
        responses.push(response.clone());
        return response;
      },
    });
  });

  /** The messages of the responses that Prism has written itself, or marked. */
  async function violations(): Promise<string[]> {
    const messages = responses.map(async (response) => {
      const marked = response.headers.get('sl-violations');
      const isProblem = response.headers.get('Content-Type')?.includes('problem+json');
      if (!marked && !isProblem) return [];
      const found = (
        marked
          ? JSON.parse(marked)
          : ((await response.json()) as { validation: unknown }).validation
      ) as { message: string }[];
      return found.map(({ message }) => message);
    });
    return (await Promise.all(messages)).flat();
  }

  async function signIn(): Promise<void> {
    const { email } = await service.signUp();
    await client.signIn({ email, password: TEST_PASSWORD });
  }

  it('Prism finds no violation from the registration to a paid expense', async () => {
    const account = { email: 'prism@example.com', password: TEST_PASSWORD };
    await client.POST('/auth/register', { body: account });
    await client.signIn(account);
    const { data: method } = await client.POST('/payment-methods', {
      body: { name: 'Debit', method_type: 'debit', default_currency: 'MXN' },
    });
    await client.POST('/expense-templates', {
      body: {
        description: 'Rent',
        currency: 'USD',
        base_amount: '850.00',
        category: 'fixed',
        recurrence_type: 'monthly',
        recurrence_config: { day_of_month: 1 },
        reference_date: '2026-01-01',
        payment_method_id: method.id,
      },
    });
    const { data: cycle } = await client.POST('/cycles', {
      body: {
        name: 'February',
        start_date: '2026-01-19',
        end_date: '2026-02-28',
        income_amount: '5000.00',
      },
    });
    const path = { cycle_id: cycle.id };
    const { data: list } = await client.GET('/cycles/{cycle_id}/expenses', { params: { path } });
    const [rent] = list.expenses;
    if (!rent) throw new Error('The cycle has no expense');
    const { data: paid } = await client.PUT('/cycles/{cycle_id}/expenses/{expense_id}', {
      params: { path: { ...path, expense_id: rent.id } },
      body: { paid: true },
    });
    const { data: summary } = await client.GET('/cycles/{cycle_id}/summary', { params: { path } });
    await client.signOut();

    expect(paid).toMatchObject({ description: 'Rent', amount: '850.00', status: 'paid' });
    expect(summary.financial.net_balance).toBe('4150.00');
    expect(await violations()).toEqual([]);
    await proxy.waitForForwarded(responses.length);
    expect(proxy.problems).toEqual([]);
  });

  it('Prism reports a request that differs from the document', async () => {
    await signIn();
    const body = { name: 'Debit', method_type: 'debit', default_currency: 'EUR' } as never;
    await expect(client.POST('/payment-methods', { body })).rejects.toThrow();
    expect(await violations()).toEqual([
      'Request body property default_currency must be equal to one of the allowed values: USD, MXN',
    ]);
    await proxy.waitForProblem('Invalid request');
    expect(relay.requestsOf('POST /payment-methods')).toEqual([]);
  });

  it('Prism reports a response that differs from the document', async () => {
    await signIn();
    relay.inject('GET /auth/me', respondWithChanged({ created_at: 'yesterday' }));
    await expect(client.GET('/auth/me')).rejects.toThrow();
    expect(await violations()).toEqual([
      'Response body property created_at must match format "date-time"',
    ]);
  });
});
