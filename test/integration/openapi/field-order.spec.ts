import { beforeAll, describe, expect, it } from '@jest/globals';
import { createOpenApiDocument } from '../../../openapi/document.js';
import type { Client } from '../../support/client.js';
import { createSampleEntities, type SampleEntities } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

/**
 * The schema of each resource, its collection, the path of one of them, and the body of a change.
 */
const RESOURCES = [
  ['PaymentMethodResponse', '/payment-methods', '/{id}', { description: 'Changed' }],
  ['BudgetResponse', '/budgets', '/{id}', { name: 'Changed' }],
  ['MonthlyExpenseTemplateResponse', '/expense-templates', '/{id}', { description: 'Changed' }],
  ['MonthlyIncomeTemplateResponse', '/income-templates', '/{id}', { description: 'Changed' }],
  ['CycleResponse', '/cycles', '/{id}', { name: 'Changed' }],
  ['ExpenseResponse', '/cycles/{cycle_id}/expenses', '/{expense_id}', { paid: true }],
  ['IncomeResponse', '/cycles/{cycle_id}/incomes', '/{income_id}', { received: true }],
] as const;

interface Body {
  payment_method?: object;
  summary?: object;
}

/** The names of the fields, and of those of the object in them. */
const namesOf = (body: Body): string[][] =>
  [body, body.payment_method ?? body.summary ?? {}].map(Object.keys);

describe('the order of fields', () => {
  const service = useService();
  let user: Client;
  let samples: SampleEntities;
  let schemas: Record<string, { properties: object }>;

  beforeAll(async () => {
    samples = await createSampleEntities(service);
    user = samples.user;
    schemas = createOpenApiDocument(service.app).components?.schemas as typeof schemas;
  });

  it.each(RESOURCES)(
    'the order of fields of a %s is the documented one in every response',
    async (...resource) => {
      const [schema, collection, one, change] = resource;
      const { fill, validBody } = samples;
      const path = fill(collection + one);
      const get = await user.get(path).expect(200);
      const put = await user.put(path, change).expect(200);
      const post = await user.post(fill(collection), validBody(`POST ${collection}`)).expect(201);
      const list = (await user.get(fill(collection)).expect(200)).body as object;
      // Some lists are in an object with their totals or their pagination.
      const [listed] = [list, ...(Object.values(list) as unknown[])].find(Array.isArray) as [Body];
      expect(Object.keys(get.body as object)).toEqual(
        Object.keys(schemas[schema]?.properties ?? {}),
      );
      for (const body of [put.body as Body, post.body as Body, listed]) {
        expect(namesOf(body)).toEqual(namesOf(get.body as Body));
      }
    },
  );
});
