/**
 * The expected state of the service according to the contract: users, entities and activity.
 * Generated values (ids and timestamps) are copied from the responses.
 */
import { isDeepStrictEqual } from 'node:util';
import { changesOfCreation, type Changes } from '../../src/activity/changes.js';
import type { WeekendRule } from '../../src/platform/values/weekend-rule.js';
import type { Snapshot } from '../../src/records/record-fields.js';
import type {
  RecurrenceConfig,
  RecurrenceType,
} from '../../src/templates/recurrence/recurrence.js';
import type { Client } from '../support/client.js';
import type { Service } from '../support/service.js';

export interface Household {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface User {
  client: Client;
  id: string;
  password: string;
  household: Household;
  role: 'admin' | 'member';
  profile: {
    first_name: string | null;
    last_name: string | null;
    preferred_currency: string;
    locale: string;
    time_zone: string;
    minimum_balance: string;
    next_income_amount: 'same' | 'zero';
    reminders: { enabled: boolean; hour: number; days_before: number; confirmed: boolean };
  };
  createdAt: string;
  /** Undefined after a change whose response does not contain it, until the next read. */
  updatedAt: string | undefined;
}

export interface Invitation {
  id: string;
  code: string;
  household: Household;
  createdBy: User;
  createdAt: string;
  expiresAt: string;
  isOpen: boolean;
}

/** Selects from the entities of the user or household, or from all. */
export interface Choice {
  number: number;
  isFromAll: boolean;
}

export type TemplateType = 'recurrent_expense' | 'recurrent_income';

/** The differences between the two kinds of templates. */
export const TEMPLATE_KINDS: Record<TemplateType, { path: string; resource: string }> = {
  recurrent_expense: { path: '/expense-templates', resource: 'recurrent_expense' },
  recurrent_income: { path: '/income-templates', resource: 'recurrent_income' },
};

export type EntityType =
  'payment_method' | 'budget' | TemplateType | 'cycle' | 'cycle_expense' | 'cycle_income';

/** An entity with activity. The names of its fields are those in the activity log. */
export interface Entity<Fields extends object = object> {
  type: EntityType;
  id: string;
  owner: User;
  /** The cycle itself, or the cycle of an entry. */
  cycleId: string | null;
  fields: Fields & { active: boolean };
  createdAt: string;
  /** Undefined after a change whose response does not contain it, until the next read. */
  updatedAt: string | undefined;
}

export type Method = Entity<
  {
    name: string;
    method_type: string;
    default_currency: string;
    description: string | null;
  } & typeof NO_STATEMENTS
>;

/** What a payment method without statements has; the model has no others. */
export const NO_STATEMENTS = {
  closing_day: null,
  due_day: null,
  due_days_after: null,
  due_weekend_rule: 'keep',
  first_closing_date: null,
  autopay: false,
  paid_from_id: null,
} as const;

export type Budget = Entity<{ name: string; currency: string; limit: string | null }>;

export type Template = Entity<{
  description: string;
  currency: string;
  /** Null only in income templates. */
  payment_method_id: string | null;
  base_amount: string;
  amount_changes: { from: string; amount: string }[];
  last_amount: string | null;
  skipped_dates: string[];
  budget_id: string | null;
  /** Only in expense templates, and optional there. */
  category?: string;
  recurrence_type: RecurrenceType;
  recurrence_config: RecurrenceConfig;
  reference_date: string;
  starts_on: string | null;
  ends_on: string | null;
  weekend_rule: WeekendRule;
  autopay_info?: string | null;
}> & { type: TemplateType };

export type CycleStatus = 'draft' | 'active' | 'completed';

export type Cycle = Entity<{
  name: string;
  start_date: string;
  end_date: string;
  income_amount: string;
  status: CycleStatus;
  budget_limits: { budget_id: string; limit: string }[];
  side: boolean;
}>;

export type ExpenseStatus = 'pending' | 'paid' | 'cancelled' | 'overdue';

export interface ExpenseFields {
  description: string;
  currency: string;
  payment_method_id: string;
  budget_id: string | null;
  amount: string;
  amount_usd: string;
  exchange_rate: { rate: string; rate_date: string } | null;
  due_date: string;
  category: string;
  status: ExpenseStatus;
  paid: boolean;
  paid_at: string | null;
  comments: string | null;
  autopay_info: string | null;
  template_id: string | null;
  occurrence_date: string | null;
  instalment: { number: number; count: number } | null;
}

/** What generation set; null: a manual entry. */
type Planned = Pick<ExpenseFields, 'amount' | 'currency'> | null;

export type Expense = Entity<ExpenseFields> & { cycle: Cycle; planned: Planned };

export interface IncomeFields {
  description: string;
  currency: string;
  payment_method_id: string | null;
  budget_id: string | null;
  amount: string;
  amount_usd: string;
  exchange_rate: { rate: string; rate_date: string } | null;
  income_date: string;
  received: boolean;
  received_at: string | null;
  comments: string | null;
  template_id: string | null;
  occurrence_date: string | null;
  instalment: { number: number; count: number } | null;
}

export type Income = Entity<IncomeFields> & { cycle: Cycle; planned: Planned };

export interface Comment {
  id: string;
  household: Household;
  target: Entity;
  author: User;
  body: string;
  editedAt: string | null;
  active: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface LogRecord {
  actor: User;
  entity: Entity;
  action: string;
  changes: Changes;
  /** The record that it takes back. */
  undoes?: LogRecord;
}

export class Model {
  constructor(readonly service: Service) {}

  // In order of creation, including deleted ones.
  readonly users: User[] = [];
  readonly invitations: Invitation[] = [];
  readonly methods: Method[] = [];
  readonly budgets: Budget[] = [];
  readonly templates: Template[] = [];
  readonly cycles: Cycle[] = [];
  readonly expenses: Expense[] = [];
  readonly incomes: Income[] = [];
  readonly comments: Comment[] = [];
  readonly log: LogRecord[] = [];

  /** The number of changes. While it stays the same, the database must stay the same. */
  version = 0;
  /** The database's contents after the latest step. */
  databaseState: unknown;

  get entities(): Entity[] {
    return [
      ...[...this.methods, ...this.budgets, ...this.templates],
      ...[...this.cycles, ...this.expenses, ...this.incomes],
    ];
  }

  /** Selects an item by any number, modulo the length: 0 is the newest. */
  pick<Item>(items: readonly Item[], number: number): Item | undefined {
    return items.at(-1 - (number % items.length));
  }

  /** The owner, unless the choice names another user. */
  actor(owner: User, number: number | undefined): User {
    return number === undefined ? owner : (this.pick(this.users, number) ?? owner);
  }

  /** Selects from the household, or sometimes from all. */
  member(household: Household, { number, isFromAll }: Choice): User | undefined {
    const members = this.users.filter((user) => user.household === household);
    return this.pick(isFromAll ? this.users : members, number);
  }

  methodsOf(owner: User): Method[] {
    return this.methods.filter((method) => method.owner === owner);
  }

  budgetsOf(owner: User): Budget[] {
    return this.budgets.filter((budget) => budget.owner === owner);
  }

  templatesOf(type: TemplateType): Template[] {
    return this.templates.filter((template) => template.type === type);
  }

  methodWithId(id: string | null): Method | undefined {
    return this.methods.find((method) => method.id === id);
  }

  budgetWithId(id: string | null): Budget | undefined {
    return this.budgets.find((budget) => budget.id === id);
  }

  /** Entities that are not deleted. */
  cyclesOf(owner: User): Cycle[] {
    return this.cycles.filter((cycle) => cycle.owner === owner && cycle.fields.active);
  }

  /** Expenses that are not deleted, by due date, then creation. */
  expensesOf(cycle: Cycle): Expense[] {
    return this.expenses
      .filter((expense) => expense.cycle === cycle && expense.fields.active)
      .sort((a, b) => a.fields.due_date.localeCompare(b.fields.due_date));
  }

  /** Incomes that are not deleted, by date, then creation. */
  incomesOf(cycle: Cycle): Income[] {
    return this.incomes
      .filter((income) => income.cycle === cycle && income.fields.active)
      .sort((a, b) => a.fields.income_date.localeCompare(b.fields.income_date));
  }

  /** Records the creation of an entity: every field from null. */
  recordCreation(actor: User, entity: Entity): void {
    const changes = changesOfCreation({
      ...asLogged(entity),
      updated_at: entity.updatedAt ?? null,
    });
    this.record({ actor, entity, action: 'created', changes });
  }

  /**
   * Changes an entity and records exactly the changed fields.
   *
   * @returns whether a field changed
   */
  change<Fields extends object>(
    actor: User,
    entity: Entity<Fields>,
    requested: Partial<Fields & { active: boolean }>,
  ): boolean {
    const before = asLogged(entity);
    Object.assign(entity.fields, requested);
    const changes: Changes = {};
    for (const [field, to] of Object.entries(asLogged(entity))) {
      const from = before[field] ?? null;
      if (!isDeepStrictEqual(from, to)) changes[field] = { from, to };
    }
    if (Object.keys(changes).length === 0) return false;
    entity.updatedAt = undefined;
    this.record({ actor, entity, action: actionOf(entity.type, changes), changes });
    return true;
  }

  record(record: LogRecord): void {
    this.log.push(record);
    this.version += 1;
  }
}

/** The state to which the records of an entity must replay. */
export function asLogged({ id, fields, createdAt }: Entity): Snapshot {
  return JSON.parse(JSON.stringify({ id, ...fields, created_at: createdAt })) as Snapshot;
}

/** The most specific matching action. */
function actionOf(type: EntityType, { status, paid, active }: Changes): string {
  if (type === 'cycle' && status?.to === 'completed') return 'completed';
  if (type === 'cycle_expense') {
    if (paid?.to === true) return 'marked_paid';
    if (paid?.to === false && status?.to !== 'cancelled') return 'marked_unpaid';
    if (status) return 'status_changed';
  }
  if (active) return active.to === true ? 'reactivated' : 'deactivated';
  return 'updated';
}
