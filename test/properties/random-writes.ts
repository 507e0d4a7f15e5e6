import fc from 'fast-check';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { money } from '../model/cents.js';
import { without } from '../model/views.js';
import { uniqueName, type Client } from '../support/client.js';
import type { Service } from '../support/service.js';
import { anyAmountChanges, anyDate, anyRule, anyTemplate } from './random-plans.js';

const anyAmount = fc.integer({ min: 100, max: 90_000 }).map((value) => money(BigInt(value)));

const anyLimit = fc.option(anyAmount, { nil: null });

const LISTS = ['payment-methods', 'budgets', 'expense-templates', 'income-templates'] as const;

/** A write; the numbers choose among what there is. Those of many rows are undone as a whole. */
export const anyWrite = fc.oneof(
  fc.record({ kind: fc.constant('createMethod') }),
  fc.record({ kind: fc.constant('createBudget'), limit: anyLimit }),
  fc.record({
    kind: fc.constant('createTemplate'),
    ...{ template: anyTemplate, method: fc.nat(), budget: fc.nat() },
  }),
  fc.record({
    kind: fc.constant('createCycle'),
    start_date: anyDate,
    generate_from_templates: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('createExpense', 'createIncome'),
    ...{ cycle: fc.nat(), method: fc.nat(), budget: fc.nat(), amount: anyAmount, date: anyDate },
    currency: fc.constantFrom('USD', 'MXN'),
  }),
  fc.record({ kind: fc.constant('delete'), target: fc.nat() }),
  fc.record({
    kind: fc.constantFrom('reprice', 'sync', 'carryOver', 'importCsv'),
    cycle: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('updateMany'),
    ...{ cycle: fc.nat(), amount: anyAmount, budget: fc.option(fc.nat(), { nil: undefined }) },
  }),
  fc.record({
    kind: fc.constant('limit'),
    ...{ cycle: fc.nat(), limits: fc.array(anyLimit, { maxLength: 4 }) },
  }),
  fc.record({
    kind: fc.constant('update'),
    target: fc.nat(),
    edits: fc.array(
      fc.oneof(
        anyAmount.map((amount) => ({ amount })),
        anyAmount.map((base_amount) => ({ base_amount })),
        anyAmount.map((income_amount) => ({ income_amount })),
        anyRule,
        anyAmountChanges.map((amount_changes) => ({ amount_changes })),
        fc.constantFrom<object>(
          ...[{ description: 'Changed' }, { description: 'Changed again' }, { comments: 'Note' }],
          ...[{ currency: 'USD' }, { currency: 'MXN' }, { category: 'fixed' }, { active: true }],
          ...[{ paid: true }, { paid: false }, { status: 'cancelled' }, { status: 'overdue' }],
          ...[{ received: true }, { received: false }, { active: false }, { status: 'active' }],
          ...[{ starts_on: '2026-02-01' }, { ends_on: '2026-03-01' }, { ends_on: null }],
          ...[{ skipped_dates: ['2026-02-01'] }, { skipped_dates: [] }, { last_amount: null }],
          ...[{ amount_changes: [] }, { last_amount: '9.99', ends_on: '2026-03-01' }],
          ...[{ method_type: 'cash' }, { default_currency: 'MXN' }, { weekend_rule: 'before' }],
        ),
        anyDate.map((due_date) => ({ due_date })),
        anyDate.map((income_date) => ({ income_date })),
        anyDate.map((end_date) => ({ end_date })),
        fc.nat().map((method) => ({ method })),
        fc.nat().map((budget) => ({ budget })),
        anyLimit.map((limit) => ({ limit })),
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

/** What may have a payment method and a budget. */
interface Chooser extends Entity {
  payment_method?: Entity | null;
  budget?: Entity | null;
}

const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % items.length];

/** The id of one of the budgets, or null. */
const anyOrNone = (budgets: readonly Entity[], number: number): string | null =>
  pick([null, ...budgets], number)?.id ?? null;

/** Whether an undo can choose the budget again: not an inactive one (undo.spec.ts). */
const isReturnPossible = ({ budget }: Chooser, active: readonly Entity[]): boolean =>
  !budget || active.some(({ id }) => id === budget.id);

/** An account with everything that it shows, and its activity. */
export class Account {
  constructor(
    private readonly service: Pick<Service, 'query'>,
    private readonly user: Client,
  ) {}

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
    const methods = await this.user.read<Entity[]>('/payment-methods?active=true');
    const methodOf = (number: number): string | undefined => pick(methods, number)?.id;
    const budgets = await this.activeBudgets();
    switch (write.kind) {
      case 'createMethod':
        await this.user.createPaymentMethod();
        return;
      case 'createBudget':
        await this.user.createBudget({ limit: write.limit });
        return;
      case 'createTemplate': {
        const { template, method, budget } = write;
        const path = template.kind === 'expense' ? '/expense-templates' : '/income-templates';
        const { fields, category } = template;
        await this.user.post(path, {
          ...fields,
          ...(template.kind === 'expense' && { category, budget_id: anyOrNone(budgets, budget) }),
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
              budget_id: anyOrNone(budgets, write.budget),
            })
          : this.user.post(`/cycles/${cycle}/incomes`, { ...body, income_date: date }));
        return;
      }
      case 'reprice':
      case 'sync':
      case 'carryOver':
      case 'importCsv':
      case 'limit':
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
    write: { kind: string; amount?: string; budget?: number; limits?: (string | null)[] },
    to_cycle_id: string | undefined,
  ): Promise<void> {
    if (write.kind === 'reprice') await this.user.post(`${cycle}/reprice`, {});
    if (write.kind === 'sync') await this.user.post(`${cycle}/sync`);
    if (write.kind === 'carryOver') await this.user.post(`${cycle}/carry-over`, { to_cycle_id });
    if (write.kind === 'importCsv') {
      const [method] = await this.user.read<{ name: string }[]>('/payment-methods?active=true');
      const [budget] = await this.activeBudgets();
      const row = `2026-02-01,Row,fixed,USD,1,${method?.name ?? ''},${budget?.name ?? ''}`;
      const columns = 'due_date,description,category,currency,amount,payment_method,budget';
      const file = [columns, row, row].join('\n');
      await this.user.post(`${cycle}/expenses/import`).type('text/csv').send(file);
    }
    if (write.kind === 'limit') {
      const budgets = await this.user.read<Entity[]>('/budgets');
      const budget_limits = (write.limits ?? []).flatMap((limit, index) =>
        limit === null || !budgets[index] ? [] : [{ budget_id: budgets[index].id, limit }],
      );
      await this.user.put(cycle, { budget_limits });
    }
    if (write.kind === 'updateMany') {
      const { expenses } = await this.user.read<{ expenses: Chooser[] }>(`${cycle}/expenses`);
      const budgets = await this.activeBudgets();
      const elements = expenses.map((expense) => ({
        ...{ id: expense.id, amount: write.amount },
        ...(write.budget !== undefined &&
          isReturnPossible(expense, budgets) && { budget_id: anyOrNone(budgets, write.budget) }),
      }));
      const [first, second, ...others] = elements;
      const changed = [first, second && { id: second.id, active: false }, ...others];
      await this.user.patch(`${cycle}/expenses`, { expenses: changed.filter(Boolean) });
    }
  }

  private async update(path: string, edits: readonly object[]): Promise<void> {
    const methods = await this.user.read<Entity[]>('/payment-methods?active=true');
    const present = await this.user.read<Chooser>(path);
    // An undo does not return to an inactive payment method: it is refused (undo.spec.ts).
    const { payment_method: used } = present;
    const isMethodActive = !used || methods.some(({ id }) => id === used.id);
    const budgets = await this.activeBudgets();
    for (const edit of edits) {
      const { method, budget, ...body } = edit as { method?: number; budget?: number };
      const payment_method_id =
        method === undefined || !isMethodActive ? undefined : methods[method % methods.length]?.id;
      const budget_id =
        budget === undefined || !isReturnPossible(present, budgets)
          ? undefined
          : anyOrNone(budgets, budget);
      await this.user.put(path, { ...body, payment_method_id, budget_id });
    }
  }

  private activeBudgets(): Promise<(Entity & { name: string })[]> {
    return this.user.read('/budgets?active=true');
  }

  /** All records of the household, oldest first. */
  records(): Promise<(ActivityResponse & { seq: string })[]> {
    return this.service.query(
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
