import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import { ActivityService, type ActivityEntry } from '../activity/activity.service.js';
import { changesOfCreation, type Changes } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import { ResourceNotFoundError } from '../common/errors/domain-error.js';
import { chosen } from '../payment-methods/payment-methods.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { CycleExpense } from './cycle-expense.entity.js';
import {
  CycleExpensesRepository,
  type ChosenMethod,
  type CreatedCycle,
  type ExpensePath,
  type LockedExpense,
  type NewCycle,
  type NewExpense,
  type OpenCycle,
} from './cycle-expenses.repository.js';
import type { Cycle } from './cycle.entity.js';
import { cycleAlreadyCompleted, cycleNotFound } from './cycle-errors.js';
import { CyclesRepository } from './cycles.repository.js';
import { costs } from './expense-status.js';
import { cycleSnapshot, expenseSnapshot } from './snapshots.js';

const NOTHING = new Big(0);

/**
 * Keeps what must hold between a cycle and its expenses, and is the only one who writes either:
 * - the remaining balance is the income less what the active, not cancelled expenses cost;
 * - a completed cycle is frozen, and its expenses with it;
 * - a deleted cycle's expenses are deleted;
 * - every change is in the activity log.
 *
 * A cycle is locked before its expenses, always. Whoever changes an expense has opened its cycle
 * first, so two changes to one cycle never run at the same time.
 */
@Injectable()
export class Ledger {
  constructor(
    private readonly cycles: CyclesRepository,
    private readonly expenses: CycleExpensesRepository,
    private readonly activity: ActivityService,
  ) {}

  /** A new draft, with the expenses that are planned for it. */
  async createCycle(
    manager: EntityManager,
    user: AuthenticatedUser,
    values: NewCycle,
    planned: readonly NewExpense[],
  ): Promise<CreatedCycle> {
    const created = await this.expenses.insertCycle(manager, user.id, values, planned);
    const { cycle, expenses } = created;
    await this.activity.record(manager, user, [
      cycleEntry(cycle, { action: 'created', changes: changesOfCreation(cycleSnapshot(cycle)) }),
      ...expenses.map(creationEntry),
    ]);
    return created;
  }

  /**
   * The cycle, locked until the transaction ends and free to be changed.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED
   */
  async openCycle(manager: EntityManager, user: AuthenticatedUser, id: string): Promise<Cycle> {
    const cycle = await this.cycles.lock(manager, user.id, { id });
    if (!cycle) throw cycleNotFound();
    if (cycle.status === 'completed') throw cycleAlreadyCompleted();
    return cycle;
  }

  async changeCycle(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Cycle,
    changed: NewCycle & Pick<Cycle, 'status'>,
  ): Promise<void> {
    const mutation = describeMutation(
      { before: cycleSnapshot(cycle), after: cycleSnapshot({ ...cycle, ...changed }) },
      cycleAction,
    );
    if (!mutation) return;
    await this.cycles.update(manager, cycle, changed);
    await this.cycles.refreshBalance(manager, cycle);
    await this.activity.record(manager, user, [cycleEntry(cycle, mutation)]);
  }

  /** Soft, together with the expenses: only the activity log shows them from now on. */
  async removeCycle(manager: EntityManager, user: AuthenticatedUser, cycle: Cycle): Promise<void> {
    const expenses = await this.expenses.lockAll(manager, cycle);
    await this.cycles.update(manager, cycle, { active: false });
    await this.expenses.deactivateAll(manager, cycle);
    await this.activity.record(manager, user, [
      cycleEntry(cycle, DEACTIVATION),
      ...expenses.map((expense) => expenseEntry(expense, DEACTIVATION)),
    ]);
  }

  async addExpense(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: OpenCycle,
    values: NewExpense,
  ): Promise<CycleExpense> {
    const expense = await this.expenses.insertAtCommit(manager, cycle, values);
    await this.cycles.spendAtCommit(manager, cycle, costOf(expense));
    await this.activity.record(manager, user, [creationEntry(expense)]);
    return expense;
  }

  /**
   * The cycle, locked until the transaction ends and free to be changed, and the payment method that a
   * new expense of it is to have, kept as it is until then.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError for the payment
   *   method, ValidationFailedError when it is inactive
   */
  async openForExpense(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycleId: string,
    methodId: string,
  ): Promise<{ cycle: OpenCycle; method: ChosenMethod }> {
    const locked = await this.expenses.lockWithMethod(manager, user.id, cycleId, methodId);
    if (!locked) throw cycleNotFound();
    const { cycle, method } = locked;
    if (cycle.status === 'completed') throw cycleAlreadyCompleted();
    return { cycle, method: chosen(method) };
  }

  /**
   * The expense and its cycle, both locked until the transaction ends and free to be changed.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError
   */
  async openExpense(
    manager: EntityManager,
    user: AuthenticatedUser,
    path: ExpensePath,
  ): Promise<LockedExpense> {
    const locked = await this.expenses.lock(manager, user.id, path);
    if (!locked) throw cycleNotFound();
    if (locked.cycle.status === 'completed') throw cycleAlreadyCompleted();
    if (!locked.expense) throw new ResourceNotFoundError('cycle_expense');
    return locked;
  }

  async changeExpense(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: OpenCycle,
    expense: CycleExpense,
    changed: Partial<CycleExpense>,
  ): Promise<void> {
    const mutation = describeMutation(
      { before: expenseSnapshot(expense), after: expenseSnapshot({ ...expense, ...changed }) },
      expenseAction,
    );
    if (!mutation) return;
    const before = costOf(expense);
    await this.expenses.updateAtCommit(manager, cycle, expense, changed);
    const more = costOf(expense).minus(before);
    if (!more.eq(NOTHING)) await this.cycles.spendAtCommit(manager, cycle, more);
    await this.activity.record(manager, user, [expenseEntry(expense, mutation)]);
  }

  /** Soft: only the activity log shows it from now on. */
  async removeExpense(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: OpenCycle,
    expense: CycleExpense,
  ): Promise<void> {
    await this.changeExpense(manager, user, cycle, expense, { active: false });
  }
}

/** USD that the expense takes from the balance. */
function costOf(expense: CycleExpense): Big {
  return expense.active && costs(expense) ? expense.amountUsd : NOTHING;
}

type Mutation = Pick<ActivityEntry, 'action' | 'changes'>;

const DEACTIVATION: Mutation = {
  action: 'deactivated',
  changes: { active: { from: true, to: false } },
};

function cycleEntry(cycle: Cycle, mutation: Mutation): ActivityEntry {
  return { entityType: 'cycle', entityId: cycle.id, cycleId: cycle.id, ...mutation };
}

function expenseEntry(expense: CycleExpense, mutation: Mutation): ActivityEntry {
  return {
    entityType: 'cycle_expense',
    entityId: expense.id,
    cycleId: expense.cycleId,
    ...mutation,
  };
}

function creationEntry(expense: CycleExpense): ActivityEntry {
  const changes = changesOfCreation(expenseSnapshot(expense));
  return expenseEntry(expense, { action: 'created', changes });
}

function cycleAction({ status }: Changes): ActivityAction | undefined {
  return status?.to === 'completed' ? 'completed' : undefined;
}

function expenseAction({ paid, status }: Changes): ActivityAction | undefined {
  if (paid?.to === true) return 'marked_paid';
  if (paid?.to === false && status?.to !== 'cancelled') return 'marked_unpaid';
  return status ? 'status_changed' : undefined;
}
