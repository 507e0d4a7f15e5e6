/**
 * The service as the contract has it, without a service: who there is, what they have, and what happened.
 * What only the service can know (ids and timestamps) is taken over from its answers.
 */
import { isDeepStrictEqual } from 'node:util';
import { changesOfCreation, type Changes, type Snapshot } from '../../src/activity/changes.js';
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
  };
  createdAt: string;
  /** Not known after a change whose answer does not tell it, until it is read. */
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

/** One of those that are near, or of all. */
export interface Choice {
  number: number;
  isAnyones: boolean;
}

export type EntityType = 'payment_method' | 'recurrent_expense' | 'cycle' | 'cycle_expense';

/** What is tracked in the activity. Its fields are under the names of the log. */
export interface Entity<Fields extends object = object> {
  type: EntityType;
  id: string;
  owner: User;
  /** The cycle that it is or belongs to. */
  cycleId: string | null;
  fields: Fields & { active: boolean };
  createdAt: string;
  /** Not known after a change whose answer does not tell it, until it is read. */
  updatedAt: string | undefined;
}

export type Method = Entity<{
  name: string;
  method_type: string;
  default_currency: string;
  description: string | null;
}>;

export type Template = Entity<{
  description: string;
  currency: string;
  payment_method_id: string;
  base_amount: string;
  category: string;
  recurrence_type: RecurrenceType;
  recurrence_config: RecurrenceConfig;
  reference_date: string;
  autopay_info: string | null;
}>;

export type CycleStatus = 'draft' | 'active' | 'completed';

export type Cycle = Entity<{
  name: string;
  start_date: string;
  end_date: string;
  income_amount: string;
  status: CycleStatus;
}>;

export type ExpenseStatus = 'pending' | 'paid' | 'cancelled' | 'overdue';

export interface ExpenseFields {
  description: string;
  currency: string;
  payment_method_id: string;
  amount: string;
  amount_usd: string;
  due_date: string;
  category: string;
  status: ExpenseStatus;
  paid: boolean;
  paid_at: string | null;
  comments: string | null;
  autopay_info: string | null;
  template_id: string | null;
}

export type Expense = Entity<ExpenseFields> & { cycle: Cycle };

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
}

export class World {
  constructor(readonly service: Service) {}

  // All in the order they came to be; what is deleted stays.
  readonly users: User[] = [];
  readonly invitations: Invitation[] = [];
  readonly methods: Method[] = [];
  readonly templates: Template[] = [];
  readonly cycles: Cycle[] = [];
  readonly expenses: Expense[] = [];
  readonly comments: Comment[] = [];
  readonly log: LogRecord[] = [];

  /** How often anything changed: while it stands still the database must, too. */
  version = 0;
  /** The database after the latest step. */
  state: unknown;

  get entities(): Entity[] {
    return [...this.methods, ...this.templates, ...this.cycles, ...this.expenses];
  }

  /** One of them, whatever the number: 0 is the newest. */
  pick<Item>(items: readonly Item[], number: number): Item | undefined {
    return items.at(-1 - (number % items.length));
  }

  /** The owner, unless it says which other user acts. */
  actor(owner: User, number: number | undefined): User {
    return number === undefined ? owner : (this.pick(this.users, number) ?? owner);
  }

  /** One of the household, or now and then one of all. */
  member(household: Household, { number, isAnyones }: Choice): User | undefined {
    const members = this.users.filter((user) => user.household === household);
    return this.pick(isAnyones ? this.users : members, number);
  }

  methodsOf(owner: User): Method[] {
    return this.methods.filter((method) => method.owner === owner);
  }

  methodNamed(id: string): Method | undefined {
    return this.methods.find((method) => method.id === id);
  }

  /** Those that are not deleted. */
  cyclesOf(owner: User): Cycle[] {
    return this.cycles.filter((cycle) => cycle.owner === owner && cycle.fields.active);
  }

  /** Those that are not deleted, by due date and then as they came to be. */
  expensesOf(cycle: Cycle): Expense[] {
    return this.expenses
      .filter((expense) => expense.cycle === cycle && expense.fields.active)
      .sort((a, b) => a.fields.due_date.localeCompare(b.fields.due_date));
  }

  /** Records a new entity: every field from null. */
  recordCreation(actor: User, entity: Entity): void {
    const changes = changesOfCreation({
      ...asLogged(entity),
      updated_at: entity.updatedAt ?? null,
    });
    this.record({ actor, entity, action: 'created', changes });
  }

  /**
   * Changes an entity and records exactly what that changed.
   *
   * @returns whether it changed anything
   */
  change<Fields extends object>(
    actor: User,
    entity: Entity<Fields>,
    asked: Partial<Fields & { active: boolean }>,
  ): boolean {
    const before = asLogged(entity);
    Object.assign(entity.fields, asked);
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

/** The state of an entity as its records must lead to. */
export function asLogged({ id, fields, createdAt }: Entity): Snapshot {
  return JSON.parse(JSON.stringify({ id, ...fields, created_at: createdAt })) as Snapshot;
}

/** The most specific action that fits. */
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
