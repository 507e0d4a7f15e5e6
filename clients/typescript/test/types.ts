/**
 * What the types of the client must accept and refuse. The compiler checks this file; nothing runs
 * it.
 */
import { ExpenseClient, isApiError, type Schemas } from '../src/index.js';

/** Compiles only for a value of exactly this type. */
declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...error: [Actual, Expected] extends [Expected, Actual] ? [] : ['another type']
) => void;

const client = new ExpenseClient({ baseUrl: 'http://localhost:3000' });
const cycle = { name: 'June', start_date: '2026-06-01', end_date: '2026-07-12' };
const path = { id: 'c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05' };

export async function responses(): Promise<void> {
  const read = await client.GET('/cycles/{id}', { params: { path } });
  expectType<Schemas['CycleResponse']>()(read.data);
  expectType<string>()(read.data.remaining_balance);
  expectType<string>()(read.etag);

  const list = await client.GET('/cycles');
  expectType<Schemas['CyclePageResponse']>()(list.data);
  // A list has no tag.
  expectType<undefined>()(list.etag);

  const deleted = await client.DELETE('/cycles/{id}', { params: { path } });
  expectType<undefined>()(deleted.data);
  const csv = await client.GET('/cycles/{cycle_id}/expenses.csv', {
    params: { path: { cycle_id: path.id } },
  });
  expectType<string>()(csv.data);

  for await (const { data } of client.pages('/activity', { params: { query: { limit: 10 } } })) {
    expectType<Schemas['ActivityResponse'][]>()(data);
  }
  // @ts-expect-error: this list is returned at once
  client.pages('/payment-methods');
}

export async function requests(): Promise<void> {
  await client.POST('/cycles', { body: { ...cycle, income_amount: '5000.00' } });
  // @ts-expect-error: `end_date` is required
  await client.POST('/cycles', { body: { name: 'June', start_date: '2026-06-01' } });
  // @ts-expect-error: `title` is not a field
  await client.POST('/cycles', { body: { ...cycle, income_amount: '1.00', title: 'June' } });
  // @ts-expect-error: a status that does not exist
  await client.PUT('/cycles/{id}', { params: { path }, body: { status: 'finished' } });
  // @ts-expect-error: the id is required
  await client.GET('/cycles/{id}');
  // @ts-expect-error: a path that does not exist
  await client.GET('/api/v1/cycles');
  // @ts-expect-error: a method that the path does not support
  await client.PATCH('/cycles/{id}', { params: { path }, body: {} });
  // @ts-expect-error: a list has no tag that an update could take
  const ifMatch: string = (await client.GET('/cycles')).etag;
  await client.PUT('/cycles/{id}', {
    params: { path, header: { 'If-Match': ifMatch } },
    body: { name: 'July' },
  });
}

export async function account(): Promise<void> {
  const { data } = await client.GET('/account');
  expectType<Schemas['AccountOptionsResponse']>()(data);
  const requested = await client.POST('/account/password-reset', {
    body: { email: 'ana@example.com' },
  });
  expectType<Record<string, never>>()(requested.data);
  const confirmed = await client.POST('/account/password-reset/confirm', {
    body: { token: 'q3J0', new_password: 'a better horse battery' },
  });
  expectType<undefined>()(confirmed.data);
  // @ts-expect-error: this path outside the prefix is not one of the client
  await client.GET('/health/live');
}

export async function manyAtOnce(): Promise<void> {
  const expenses = '/cycles/{cycle_id}/expenses';
  const params = { path: { cycle_id: path.id } };
  const { data, etag } = await client.PATCH(expenses, {
    params,
    body: {
      expenses: [
        { id: path.id, if_match: '2026-01-25T20:11:09.123Z', paid: true },
        { id: path.id, active: false },
      ],
    },
  });
  expectType<Schemas['ExpenseResponse'][]>()(data.expenses);
  expectType<undefined>()(etag);
  // @ts-expect-error: `id` is required
  await client.PATCH(expenses, { params, body: { expenses: [{ paid: true }] } });
  // @ts-expect-error: an update does not bring a deleted expense back
  await client.PATCH(expenses, { params, body: { expenses: [{ id: path.id, active: true }] } });
  const { data: carried } = await client.POST('/cycles/{id}/carry-over', {
    params: { path },
    body: { to_cycle_id: path.id },
  });
  expectType<string | undefined>()(carried.moved[0]?.expense.amount);

  const { data: list } = await client.GET(expenses, { params });
  const paid = await client.payMany(path.id, list.expenses);
  expectType<string>()(paid.data.remaining_balance);
  // @ts-expect-error: what was read is the condition of the payment
  await client.payMany(path.id, [{ id: path.id }]);
  const moved = await client.carryOver({ from: path.id, to: path.id });
  expectType<Schemas['CarryOverResponse']>()(moved.data);
  const undone = await client.undo(path.id);
  if (undone.data.entity_type === 'cycle') {
    expectType<string | undefined>()(undone.data.representation?.remaining_balance);
  }
}

export async function changes(): Promise<void> {
  const { data } = await client.GET('/changes');
  for (const change of data.changes) {
    if (change.entity_type === 'cycle') {
      expectType<Schemas['CycleResponse'] | null>()(change.representation);
    } else if (change.entity_type === 'comment') {
      expectType<string | undefined>()(change.representation?.body);
      // @ts-expect-error: not a field of a comment
      expectType<unknown>()(change.representation?.remaining_balance);
    }
    // @ts-expect-error: not a field of every entity
    expectType<unknown>()(change.representation?.remaining_balance);
    expectType<boolean>()(change.deleted);
    if (change.deleted) {
      expectType<null>()(change.representation);
    } else {
      // @ts-expect-error: not null
      expectType<null>()(change.representation);
      if (change.entity_type === 'cycle') {
        expectType<string>()(change.representation.remaining_balance);
      }
    }
  }
}

const incomeTemplate = {
  description: 'Salary',
  currency: 'USD' as const,
  base_amount: '2500.00',
  reference_date: '2026-06-01',
};
const template = { ...incomeTemplate, category: 'fixed' as const, payment_method_id: path.id };

export async function recurrences(): Promise<void> {
  await client.POST('/expense-templates', {
    body: { ...template, recurrence_type: 'monthly', recurrence_config: { day_of_month: 1 } },
  });
  await client.POST('/expense-templates', {
    // @ts-expect-error: the config is that of another type
    body: { ...template, recurrence_type: 'weekly', recurrence_config: { day_of_month: 1 } },
  });
  await client.POST('/income-templates', {
    // @ts-expect-error: `unit` is required
    body: { ...incomeTemplate, recurrence_type: 'custom', recurrence_config: { interval: 3 } },
  });
  await client.POST('/occurrences', {
    body: {
      ...{ from: '2026-06-01', to: '2026-07-12', reference_date: '2026-06-01' },
      recurrence_type: 'bi_weekly',
      // @ts-expect-error: the config is that of another type
      recurrence_config: { day_of_month: 1 },
    },
  });

  const update = { params: { path } };
  await client.PUT('/expense-templates/{id}', { ...update, body: { description: 'Rent' } });
  await client.PUT('/expense-templates/{id}', {
    ...update,
    body: { recurrence_config: { day_of_month: 31, handle_month_end: true } },
  });
  await client.PUT('/expense-templates/{id}', {
    ...update,
    body: { recurrence_type: 'weekly', recurrence_config: { day_of_week: 6 } },
  });
  await client.PUT('/income-templates/{id}', {
    ...update,
    // @ts-expect-error: a config of no type
    body: { recurrence_type: 'custom', recurrence_config: { interval: 14 } },
  });

  const { data } = await client.GET('/income-templates/{id}', { params: { path } });
  if (data.recurrence_type === 'monthly') {
    expectType<number>()(data.recurrence_config.day_of_month);
    // @ts-expect-error: not a field of this type
    expectType<unknown>()(data.recurrence_config.interval_days);
  }
  // @ts-expect-error: not a field of every type
  expectType<unknown>()(data.recurrence_config.day_of_month);
}

export function errors(error: unknown): void {
  if (isApiError(error, 'VALIDATION_ERROR')) {
    expectType<Record<string, string[]> | undefined>()(error.details.fields);
    // @ts-expect-error: this code has no such detail
    expectType<unknown>()(error.details.retry_after);
  }
  if (isApiError(error, 'RATE_LIMIT_EXCEEDED')) expectType<number>()(error.details.retry_after);
  // @ts-expect-error: a code that does not exist
  isApiError(error, 'NOT_FOUND');
  if (!isApiError(error)) return;
  // @ts-expect-error: not a detail of every code
  expectType<unknown>()(error.details.resource);
  if (error.code === 'RESOURCE_NOT_FOUND') {
    expectType<Schemas['ResourceName']>()(error.details.resource);
  } else if (error.code === 'INVALID_CYCLE_DATES') {
    expectType<number | undefined>()(error.details.max_days);
  }
}
