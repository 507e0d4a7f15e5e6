import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addDays,
  isApiError,
  Queries,
  type ExpenseClient,
} from '../../clients/typescript/src/index.js';
import { eventually } from '../support/eventually.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { useService } from '../support/service.js';

describe('statements of cards in queries of the TypeScript client', () => {
  const clients = useRelayedClients(useService());
  let client: ExpenseClient;

  beforeAll(async () => {
    client = await clients.signUp();
  });

  it('a statement that is not stored has a tag, and is derived again when its change is taken back', async () => {
    const { data: card } = await client.POST('/payment-methods', {
      body: {
        ...{ name: 'Visa', method_type: 'credit', default_currency: 'USD' },
        ...{ closing_day: 12, due_days_after: 20 },
      },
    });
    const { data: statements } = await client.GET('/payment-methods/{id}/statements', {
      params: { path: { id: card.id } },
    });
    const { closing_date = '', due_date = '' } = statements.at(-1) ?? {};
    const queries = new Queries(client);
    const params = { path: { id: card.id, closing_date } };
    const query = queries.query('/payment-methods/{id}/statements/{closing_date}', { params });
    const unsubscribe = query.subscribe(() => undefined);
    const shown = (date: string): Promise<unknown> =>
      eventually(`the due date ${date}`, () => query.getSnapshot().data?.due_date === date);
    await shown(due_date);
    expect(query.getSnapshot().data?.id).toBeNull();

    const later = addDays(due_date, 3);
    const change = { params, body: { due_date: later }, ifMatch: query.getSnapshot().etag };
    const path = '/payment-methods/{id}/statements/{closing_date}';
    const sent = await queries.send('PUT', path, change);
    await shown(later);
    expect(query.getSnapshot().data?.id).toBe(sent.data.id);
    const refused = await queries.send('PUT', path, change).catch((error: unknown) => error);
    expect(isApiError(refused, 'PRECONDITION_FAILED')).toBe(true);

    await queries.undo(sent.operationId ?? '');
    await shown(due_date);
    expect(query.getSnapshot().data?.id).toBeNull();
    unsubscribe();
  });
});
