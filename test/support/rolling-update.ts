import { expect } from '@jest/globals';
import { TEST_PASSWORD } from './client.js';

interface Answer {
  status: number;
  body: Record<string, unknown>;
  operationId: string | null;
}

/** Calls a process of any version, whose responses are those of its own document. */
type Call = (method: string, path: string, body?: object) => Promise<Answer>;

interface Change {
  entity_type: string;
  entity_id: string;
}

const callerOf =
  (origin: string, token?: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const text = await response.text();
    // Whatever a version does not know is an error of the client.
    expect([method, path, status < 500, text]).toEqual([method, path, true, text]);
    return {
      status,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      operationId: response.headers.get('Operation-Id'),
    };
  };

async function signUp(origin: string): Promise<string> {
  const email = `rolling-${process.pid}-${Date.now()}@example.com`;
  const anonymous = callerOf(origin);
  await anonymous('POST', '/auth/register', { email, password: TEST_PASSWORD });
  const login = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password: TEST_PASSWORD }),
  });
  return ((await login.json()) as { access_token: string }).access_token;
}

/** All changes, each page read from the other process than the one before. */
async function readChanges(calls: readonly Call[], first: string): Promise<Change[]> {
  const changes: Change[] = [];
  let query = first;
  for (let page = 0; ; page += 1) {
    const call = calls[page % calls.length];
    if (!call) throw new Error('No process is called');
    const { status, body } = await call('GET', `/changes?limit=1${query}`);
    expect(status).toBe(200);
    changes.push(...(body.changes as Change[]));
    if (body.has_more !== true) return changes;
    query = `&since=${String(body.next)}`;
  }
}

/**
 * Uses a process of the version before, without budgets, and one of this version on one database,
 * as a rolling update does: neither answers with a status of 500 or more, and what the earlier
 * version writes keeps the budgets of what it does not make itself.
 */
export async function useBesideVersionBefore(before: string, after: string): Promise<void> {
  const token = await signUp(after);
  const [old, now] = [callerOf(before, token), callerOf(after, token)];
  const idOf = ({ status, body }: Answer): string => {
    expect(status).toBe(201);
    return String(body.id);
  };
  const method = idOf(
    await now('POST', '/payment-methods', {
      ...{ name: 'Card', method_type: 'debit', default_currency: 'USD' },
    }),
  );
  const created = await now('POST', '/budgets', { name: 'Despensa', limit: '300.00' });
  const budget = idOf(created);
  const template = {
    ...{ description: 'Groceries', currency: 'USD', base_amount: '50.00', category: 'variable' },
    ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 1 } },
    ...{ reference_date: '2025-01-01', payment_method_id: method, budget_id: budget },
  };
  const templateId = idOf(await now('POST', '/expense-templates', template));
  const period = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '900.00' };
  const cycle = idOf(await now('POST', '/cycles', { name: 'First', ...period }));
  const other = idOf(await old('POST', '/cycles', { name: 'Second', ...period }));
  const expensesOf = async (id: string): Promise<{ id: string; budget: object | null }[]> =>
    (await now('GET', `/cycles/${id}/expenses`)).body.expenses as {
      id: string;
      budget: object | null;
    }[];

  // What the version before reads.
  for (const path of [
    ...['/cycles', `/cycles/${cycle}`, `/cycles/${cycle}/expenses`, `/cycles/${cycle}/summary`],
    ...[`/activity?cycle_id=${cycle}`, `/activity?operation_id=${created.operationId}`],
    ...['/expenses', '/expense-templates', '/forecast', '/export', `/cycles/${cycle}/sync`],
  ]) {
    expect([path, (await old('GET', path)).status]).toEqual([path, 200]);
  }
  for (const [path, status] of [
    ['/budgets', 404],
    [`/activity?entity_type=budget&entity_id=${budget}`, 422],
  ] as const) {
    expect((await old('GET', path)).status).toBe(status);
  }
  // Pages of both, one after the other.
  const start = (await now('GET', '/changes?limit=500')).body.next;
  for (const calls of [[old], [now], [old, now], [now, old]]) {
    const types = (await readChanges(calls, '')).map(({ entity_type: type }) => type);
    expect(types).toContain('cycle_expense');
    if (calls.length === 1) expect(types.includes('budget')).toBe(calls[0] === now);
  }

  // What it writes.
  const [first, second] = await expensesOf(cycle);
  const path = `/cycles/${cycle}/expenses/${first?.id}`;
  await old('PUT', path, { comments: 'From before', paid: true });
  await old('PUT', `/expense-templates/${templateId}`, { base_amount: '60.00' });
  await old('PUT', `/cycles/${cycle}`, { name: 'Renamed' });
  expect((await old('PUT', path, { budget_id: budget })).status).toBe(422);
  expect((await now('GET', `/expense-templates/${templateId}`)).body.budget).not.toBeNull();
  const reference = { id: budget, name: 'Despensa' };
  expect((await expensesOf(cycle)).map((expense) => expense.budget)).toEqual([
    reference,
    reference,
  ]);
  expect((await now('GET', `/cycles/${cycle}`)).body.budget_limits).toEqual([
    { budget_id: budget, limit: '300.00' },
  ]);
  // What it makes has no budget and no limits, until a synchronization and an update give them.
  expect((await now('GET', `/cycles/${other}`)).body.budget_limits).toEqual([]);
  expect((await expensesOf(other)).map((expense) => expense.budget)).toEqual([null, null]);
  await old('POST', `/cycles/${other}/sync`, {});
  await now('POST', `/cycles/${other}/sync`, {});
  expect((await expensesOf(other)).map((expense) => expense.budget)).toEqual([
    reference,
    reference,
  ]);
  const carried = await old('POST', `/cycles/${cycle}/carry-over`, {
    ...{ to_cycle_id: other, expense_ids: [second?.id] },
  });
  expect(carried.status).toBe(200);
  expect((await old('POST', `/activity/operations/${created.operationId}/undo`, {})).status).toBe(
    404,
  );
  const undone = await now('POST', `/activity/operations/${carried.operationId}/undo`, {});
  expect(undone.status).toBe(200);
  await now('DELETE', `/budgets/${budget}`);
  for (const calls of [[old], [now], [old, now], [now, old]]) {
    await readChanges(calls, `&since=${String(start)}`);
  }
}
