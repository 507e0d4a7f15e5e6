import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Snapshot } from '../../src/activity/changes.js';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { replayProblems } from '../../src/operators/integrity/replay.js';
import { money } from '../model/cents.js';
import { without } from '../model/views.js';
import { uniqueName, type Client } from '../support/client.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { anyDate, anyRule, anyTemplate, storeRate } from './random-plans.js';

// Random sequences of many requests: on a busy machine they take longer than the default.
jest.setTimeout(600_000);

const service = useService();

const anyAmount = fc.integer({ min: 100, max: 90_000 }).map((value) => money(BigInt(value)));

const LISTS = ['payment-methods', 'expense-templates', 'income-templates'] as const;

/** A write; the numbers choose among what there is. Those of many rows are undone as a whole. */
const anyWrite = fc.oneof(
  fc.record({ kind: fc.constant('createMethod') }),
  fc.record({ kind: fc.constant('createTemplate'), template: anyTemplate, method: fc.nat() }),
  fc.record({
    kind: fc.constant('createCycle'),
    start_date: anyDate,
    generate_from_templates: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('createExpense', 'createIncome'),
    ...{ cycle: fc.nat(), method: fc.nat(), amount: anyAmount, date: anyDate },
    currency: fc.constantFrom('USD', 'MXN'),
  }),
  fc.record({ kind: fc.constant('delete'), target: fc.nat() }),
  fc.record({
    kind: fc.constantFrom('reprice', 'sync', 'carryOver', 'importCsv'),
    cycle: fc.nat(),
  }),
  fc.record({ kind: fc.constant('updateMany'), cycle: fc.nat(), amount: anyAmount }),
  fc.record({
    kind: fc.constant('update'),
    target: fc.nat(),
    edits: fc.array(
      fc.oneof(
        anyAmount.map((amount) => ({ amount })),
        anyAmount.map((base_amount) => ({ base_amount })),
        anyAmount.map((income_amount) => ({ income_amount })),
        anyRule,
        fc.constantFrom<object>(
          ...[{ description: 'Changed' }, { description: 'Changed again' }, { comments: 'Note' }],
          ...[{ currency: 'USD' }, { currency: 'MXN' }, { category: 'fixed' }, { active: true }],
          ...[{ paid: true }, { paid: false }, { status: 'cancelled' }, { status: 'overdue' }],
          ...[{ received: true }, { received: false }, { active: false }, { status: 'active' }],
          ...[{ starts_on: '2026-02-01' }, { ends_on: '2026-03-01' }, { ends_on: null }],
          ...[{ method_type: 'cash' }, { default_currency: 'MXN' }, { weekend_rule: 'before' }],
        ),
        anyDate.map((due_date) => ({ due_date })),
        anyDate.map((income_date) => ({ income_date })),
        anyDate.map((end_date) => ({ end_date })),
        fc.nat().map((method) => ({ method })),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  fc.record({ kind: fc.constant('rename'), target: fc.nat() }),
);

type Write = typeof anyWrite extends fc.Arbitrary<infer Value> ? Value : never;

interface Entity {
  id: string;
  active?: boolean;
}

/** An account with everything that it shows, and its activity. */
class Account {
  constructor(private readonly user: Client) {}

  /** What can be changed, by its path. */
  private async targets(): Promise<string[]> {
    const found: string[] = [];
    for (const list of LISTS) {
      for (const { id } of await this.user.read<Entity[]>(`/${list}`)) found.push(`/${list}/${id}`);
    }
    for (const { id } of await this.cycles()) {
      found.push(`/cycles/${id}`);
      const { expenses } = await this.user.expenses(id);
      const { incomes } = await this.user.incomes(id);
      found.push(...expenses.map((expense) => `/cycles/${id}/expenses/${expense.id}`));
      found.push(...incomes.map((income) => `/cycles/${id}/incomes/${income.id}`));
    }
    return found;
  }

  private async cycles(): Promise<Entity[]> {
    return (await this.user.read<{ cycles: Entity[] }>('/cycles?per_page=100')).cycles;
  }

  /** All that the account shows, by path, without the times of changes. */
  async state(): Promise<Map<string, object>> {
    const shown = new Map<string, object>();
    for (const path of await this.targets()) {
      const read = await this.user.read<{ updated_at: string; planned_amount?: unknown }>(path);
      // What generation planned is not recorded: it is null after an undo.
      shown.set(path, without({ ...read, planned_amount: null }, 'updated_at'));
    }
    return shown;
  }

  /** Sends a write, which may be refused: the property is about those that are not. */
  async write(write: Write): Promise<void> {
    const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
      items[number % items.length];
    const methods = await this.user.read<Entity[]>('/payment-methods?active=true');
    const methodOf = (number: number): string | undefined => pick(methods, number)?.id;
    switch (write.kind) {
      case 'createMethod':
        await this.user.createPaymentMethod();
        return;
      case 'createTemplate': {
        const { template, method } = write;
        const path = template.kind === 'expense' ? '/expense-templates' : '/income-templates';
        const { fields, category } = template;
        await this.user.post(path, {
          ...fields,
          ...(template.kind === 'expense' && { category }),
          payment_method_id: methodOf(method),
        });
        return;
      }
      case 'createCycle': {
        const { start_date, generate_from_templates } = write;
        const end_date = '2026-04-01';
        const dates = {
          start_date: start_date > '2026-03-01' ? '2026-03-01' : start_date,
          end_date,
        };
        const body = { ...dates, income_amount: '5000.00', generate_from_templates };
        await this.user.post('/cycles', { ...body, name: uniqueName('Cycle') });
        return;
      }
      case 'createExpense':
      case 'createIncome': {
        const { amount, currency, date, method } = write;
        const cycle = pick(await this.cycles(), write.cycle)?.id ?? '';
        const body = { description: 'Entry', amount, currency };
        const payment_method_id = methodOf(method);
        await (write.kind === 'createExpense'
          ? this.user.post(`/cycles/${cycle}/expenses`, {
              ...{ ...body, due_date: date, category: 'variable', payment_method_id },
            })
          : this.user.post(`/cycles/${cycle}/incomes`, { ...body, income_date: date }));
        return;
      }
      case 'reprice':
      case 'sync':
      case 'carryOver':
      case 'importCsv':
      case 'updateMany': {
        const cycles = await this.cycles();
        const cycle = pick(cycles, write.cycle);
        if (!cycle) return;
        await this.writeMany(`/cycles/${cycle.id}`, write, pick(cycles, write.cycle + 1)?.id);
        return;
      }
      case 'delete':
      case 'rename':
      case 'update': {
        const path = pick(await this.targets(), write.target);
        if (path === undefined) return;
        if (write.kind === 'delete') await this.user.delete(path);
        else if (write.kind === 'rename') await this.user.put(path, { name: uniqueName('Name') });
        else await this.update(path, write.edits);
      }
    }
  }

  private async writeMany(
    cycle: string,
    write: { kind: string; amount?: string },
    to_cycle_id: string | undefined,
  ): Promise<void> {
    if (write.kind === 'reprice') await this.user.post(`${cycle}/reprice`, {});
    if (write.kind === 'sync') await this.user.post(`${cycle}/sync`);
    if (write.kind === 'carryOver') await this.user.post(`${cycle}/carry-over`, { to_cycle_id });
    if (write.kind === 'importCsv') {
      const [method] = await this.user.read<{ name: string }[]>('/payment-methods?active=true');
      const row = `2026-02-01,Row,fixed,USD,1,${method?.name ?? ''}`;
      const columns = 'due_date,description,category,currency,amount,payment_method';
      const file = [columns, row, row].join('\n');
      await this.user.post(`${cycle}/expenses/import`).type('text/csv').send(file);
    }
    if (write.kind === 'updateMany') {
      const { expenses } = await this.user.read<{ expenses: Entity[] }>(`${cycle}/expenses`);
      const [first, second, ...others] = expenses.map(({ id }) => ({ id, amount: write.amount }));
      const changed = [first, second && { id: second.id, active: false }, ...others];
      await this.user.patch(`${cycle}/expenses`, { expenses: changed.filter(Boolean) });
    }
  }

  private async update(path: string, edits: readonly object[]): Promise<void> {
    const methods = await this.user.read<Entity[]>('/payment-methods?active=true');
    const { payment_method: present } = await this.user.read<{ payment_method?: Entity }>(path);
    // An undo does not return to an inactive payment method: it is refused (undo.spec.ts).
    const isReturnPossible = !present || methods.some(({ id }) => id === present.id);
    for (const edit of edits) {
      const { method, ...body } = edit as { method?: number };
      const payment_method_id =
        method === undefined || !isReturnPossible
          ? undefined
          : methods[method % methods.length]?.id;
      await this.user.put(path, { ...body, payment_method_id });
    }
  }

  /** All records of the household, oldest first. */
  records(): Promise<(ActivityResponse & { seq: string })[]> {
    return service.query(
      `SELECT a.id, a.entity_type, a.entity_id, a.cycle_id, a.action, a.changes, a.undoes, a.operation_id, a.seq
       FROM activity_log a JOIN users u ON u.id = a.actor_user_id
       WHERE u.email = $1 ORDER BY a.seq`,
      [this.user.email],
    );
  }

  async undo(record: { id: string }): Promise<void> {
    await this.user.undo(record);
  }

  async undoOperation(operation: string): Promise<void> {
    await this.user.undoOperation(operation);
  }
}

/** Whether the record of an entry was written by the deletion of its cycle, which takes it back. */
const isOfDeletedCycle = (
  { entity_type, action, cycle_id, seq }: ActivityResponse & { seq: string },
  records: readonly (ActivityResponse & { seq: string })[],
): boolean =>
  action === 'deactivated' &&
  entity_type.startsWith('cycle_') &&
  records.some(
    (other) =>
      other.entity_type === 'cycle' &&
      other.entity_id === cycle_id &&
      other.action === 'deactivated' &&
      BigInt(other.seq) < BigInt(seq),
  );

/** The states of all entities after each record that is not of an entry of a deleted cycle. */
function replayed(records: readonly ActivityResponse[]): Map<string, Snapshot> {
  const states = new Map<string, Record<string, Snapshot[string]>>();
  for (const { entity_id, changes } of records) {
    const state = states.get(entity_id) ?? {};
    for (const [field, { to }] of Object.entries(changes)) state[field] = to;
    states.set(entity_id, state);
  }
  return states;
}

describe('random sequences of writes', () => {
  beforeAll(async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    await storeRate(service, 0.061234, '2026-02-20');
  });

  it('random sequences of writes end at the first state when they are undone in reverse order, step by step', async () => {
    const sequence = fc.array(anyWrite, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (writes) => {
        const user = await service.signUp();
        const account = new Account(user);
        await user.createPaymentMethod();
        await user.createTemplate({ currency: 'MXN' });
        const { id } = await user.createCycle();
        await user.createExpense(id, { currency: 'MXN', due_date: '2026-02-25' });
        await user.createIncome(id);
        const first = await account.state();
        const initial = await account.records();
        for (const write of writes) await account.write(write);
        const records = await account.records();
        const written = records.slice(initial.length);
        const undone = written.filter((record) => !isOfDeletedCycle(record, records));
        for (const record of undone.reverse()) {
          await account.undo(record);
          // The log replays to what was before the record.
          const all = await account.records();
          const before = records.filter(({ seq }) => BigInt(seq) < BigInt(record.seq));
          const now = replayed(all);
          for (const [entity, state] of replayed(before)) {
            expect({ entity, state: now.get(entity) }).toEqual({ entity, state });
          }
        }
        const last = await account.state();
        for (const [path, shown] of first)
          expect({ path, shown: last.get(path) }).toEqual({ path, shown });
        for (const [path, shown] of last) {
          if (!first.has(path)) expect({ path, shown }).toMatchObject({ shown: { active: false } });
        }
        for (const entity of new Set(records.map(({ entity_id }) => entity_id))) {
          const own = (await account.records()).filter(({ entity_id }) => entity_id === entity);
          const state = replayed(own).get(entity) ?? {};
          expect(replayProblems(state, own)).toEqual([]);
        }
      }),
      longRuns(40),
    );
    await expectIntegrity(service.dataSource);
  });

  it('random sequences of writes end at the first state when their requests are undone in reverse order', async () => {
    const sequence = fc.array(anyWrite, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (writes) => {
        const user = await service.signUp();
        const account = new Account(user);
        await user.createPaymentMethod();
        await user.createTemplate({ currency: 'MXN' });
        const { id } = await user.createCycle();
        await user.createExpense(id, { currency: 'MXN', due_date: '2026-02-25' });
        await user.createIncome(id);
        const first = await account.state();
        const initial = await account.records();
        for (const write of writes) await account.write(write);
        const written = (await account.records()).slice(initial.length);
        const operations = new Set(written.map(({ operation_id }) => operation_id ?? ''));
        for (const operation of [...operations].reverse()) await account.undoOperation(operation);
        const last = await account.state();
        for (const [path, shown] of first)
          expect({ path, shown: last.get(path) }).toEqual({ path, shown });
        for (const [path, shown] of last) {
          if (!first.has(path)) expect({ path, shown }).toMatchObject({ shown: { active: false } });
        }
      }),
      longRuns(40),
    );
    await expectIntegrity(service.dataSource);
  });
});
