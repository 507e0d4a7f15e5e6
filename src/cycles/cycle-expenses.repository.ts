import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Instant } from '../common/instant.js';
import type { UserId } from '../common/user-id.js';
import { Mapping } from '../database/mapping.js';
import {
  insertRecordAtCommit,
  readRecords,
  REFRESHED_AT,
  ROW_LOCKS,
  updateRecordAtCommit,
} from '../database/records.js';
import type { PaymentMethod, PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import { SUMS_SQL, type CycleSums } from './balance.js';
import { COSTS_SQL } from './expense-status.js';
import { CycleExpense } from './cycle-expense.entity.js';
import { Cycle, type CycleStatus } from './cycle.entity.js';

export type NewCycle = Pick<Cycle, 'name' | 'startDate' | 'endDate' | 'incomeAmount'>;

export type NewExpense = Pick<
  CycleExpense,
  | 'templateId'
  | 'paymentMethodId'
  | 'description'
  | 'currency'
  | 'amount'
  | 'amountUsd'
  | 'dueDate'
  | 'category'
  | 'autopayInfo'
  | 'comments'
>;

/** Where an expense is. */
export interface ExpensePath {
  cycleId: string;
  expenseId: string;
}

export interface CreatedCycle {
  cycle: Cycle;
  expenses: CycleExpense[];
  sums: CycleSums;
}

/** As much of a locked cycle as its expenses need. */
export interface OpenCycle extends Pick<Cycle, 'id' | 'status'> {
  /** When it was locked: the moment of all that is written to its expenses. */
  openedAt: Date;
}

export interface LockedExpense {
  cycle: OpenCycle;
  expense: CycleExpense;
  /** Not locked: it may be changed meanwhile. */
  method: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>;
}

interface CycleColumns {
  cycle_status: CycleStatus;
  opened_at: Instant;
}

type LockedRow = CycleColumns &
  ({ id: null } | { id: string; method_name: string; method_type: PaymentMethodType });

export type ChosenMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;
type MethodRow = CycleColumns & (ChosenMethod | { id: null });

/** Of a cycle `c`. A query puts its columns together when it has all its locks. */
const CYCLE_COLUMNS = 'c.status AS cycle_status, clock_timestamp()::timestamptz(3) AS opened_at';

/** $1 the owner, $2 the cycle, $3 the payment method. */
const LOCK_WITH_METHOD = `
  WITH c AS (
    SELECT status FROM cycles WHERE user_id = $1 AND id = $2 AND active ${ROW_LOCKS.update}
  ), pm AS (
    SELECT id, name, method_type AS "methodType", active FROM payment_methods
    WHERE user_id = $1 AND id = $3 AND EXISTS (SELECT FROM c)
    ${ROW_LOCKS.share}
  )
  SELECT ${CYCLE_COLUMNS}, pm.* FROM c LEFT JOIN pm ON true`;

/** $1 the owner, $2 the cycle, $3 the expense. */
const lockStatement = ({ table, selection }: Mapping<CycleExpense>): string => `
  WITH c AS (
    SELECT status FROM cycles WHERE user_id = $1 AND id = $2 AND active ${ROW_LOCKS.update}
  ), e AS (
    SELECT ${selection} FROM ${table}
    WHERE id = $3 AND cycle_id = $2 AND active AND EXISTS (SELECT FROM c)
    ${ROW_LOCKS.update}
  )
  SELECT ${CYCLE_COLUMNS}, e.*, pm.name AS method_name, pm.method_type
  FROM c LEFT JOIN (e JOIN payment_methods pm ON pm.id = e."paymentMethodId") ON true`;

/** What an expense is at first, beside its id and when it was made. */
const AS_NEW = { status: 'pending', paid: false, paidAt: null, active: true } as const;

/** $1 the owner, $2 name, $3 start, $4 end, $5 income, $6 the expenses; `selection` of the cycle. */
const createStatement = (selection: string): string => `
  WITH planned AS (
    SELECT * FROM ROWS FROM (jsonb_to_recordset($6) AS (
      template_id uuid, payment_method_id uuid, description text, currency currency_code,
      amount numeric, amount_usd numeric, due_date date, category expense_category,
      autopay_info text, comments text
    )) WITH ORDINALITY
  ), c AS (
    INSERT INTO cycles (user_id, name, start_date, end_date, income_amount, remaining_balance)
    SELECT $1, $2, $3, $4, $5::numeric, $5::numeric - coalesce(sum(amount_usd), 0) FROM planned
    RETURNING *
  ), made AS (
    INSERT INTO cycle_expenses (cycle_id, template_id, payment_method_id, description, currency,
      amount, amount_usd, due_date, category, autopay_info, comments)
    SELECT c.id, template_id, payment_method_id, description, currency,
      amount, amount_usd, due_date, category, autopay_info, comments
    FROM c, planned
    ORDER BY ordinality
    RETURNING id, seq, amount_usd, category, status, paid
  )
  SELECT ${selection}, array(SELECT id FROM made ORDER BY seq) AS expense_ids, s.*
  FROM c, (SELECT ${SUMS_SQL} FROM made e WHERE ${COSTS_SQL}) AS s`;

/** The expenses of a cycle that the caller holds the lock of: who has the cycle has its expenses. */
@Injectable()
export class CycleExpensesRepository {
  /** A new cycle with expenses, in their order. One statement, however many. */
  async insertCycle(
    manager: EntityManager,
    owner: UserId,
    values: NewCycle,
    planned: readonly NewExpense[],
  ): Promise<CreatedCycle> {
    const mapping = Mapping.of(manager, Cycle);
    const [row] = await manager.query<(CycleSums & { expense_ids: string[] })[]>(
      mapping.statement('create', () => createStatement(mapping.selection)),
      [
        owner,
        values.name,
        values.startDate,
        values.endDate,
        values.incomeAmount.toFixed(2),
        JSON.stringify(planned.map(toRow)),
      ],
    );
    if (!row) throw new Error('The database stored no cycle');
    const cycle = mapping.fromStored(row);
    const expenses = planned.map((values, at) =>
      made(values, { id: row.expense_ids[at], cycleId: cycle.id, createdAt: cycle.createdAt }),
    );
    return { cycle, expenses, sums: row };
  }

  /** A new expense, stored when the transaction commits. */
  async insertAtCommit(
    manager: EntityManager,
    { id: cycleId, openedAt }: OpenCycle,
    values: NewExpense,
  ): Promise<CycleExpense> {
    const expense = made(values, { id: randomUUID(), cycleId, createdAt: openedAt });
    await insertRecordAtCommit(manager, CycleExpense, expense);
    return expense;
  }

  /**
   * In one statement, the cycle first. Nothing when the owner has no such cycle, the cycle alone when it
   * has no such expense.
   */
  async lock(
    manager: EntityManager,
    owner: UserId,
    { cycleId, expenseId }: ExpensePath,
  ): Promise<LockedExpense | { cycle: OpenCycle; expense: null } | undefined> {
    const mapping = Mapping.of(manager, CycleExpense);
    const text = mapping.statement('lock', () => lockStatement(mapping));
    const [row] = await manager.query<LockedRow[]>(text, [owner, cycleId, expenseId]);
    if (!row) return undefined;
    const cycle = openCycle(cycleId, row);
    if (row.id === null) return { cycle, expense: null };
    const expense = mapping.fromStored(row);
    const { method_name: name, method_type: methodType } = row;
    return { cycle, expense, method: { id: expense.paymentMethodId, name, methodType } };
  }

  /**
   * The cycle, to be changed, and a payment method, to be relied on; in one statement, the cycle first.
   * Nothing when the owner has no such cycle, the cycle alone when there is no such payment method.
   */
  async lockWithMethod(
    manager: EntityManager,
    owner: UserId,
    cycleId: string,
    methodId: string,
  ): Promise<{ cycle: OpenCycle; method: ChosenMethod | null } | undefined> {
    const [row] = await manager.query<MethodRow[]>(LOCK_WITH_METHOD, [owner, cycleId, methodId]);
    if (!row) return undefined;
    return { cycle: openCycle(cycleId, row), method: row.id === null ? null : row };
  }

  lockAll(manager: EntityManager, cycle: Cycle): Promise<CycleExpense[]> {
    return readRecords(manager, CycleExpense, {
      where: { cycleId: cycle.id, active: true },
      ordered: true,
      lock: 'update',
    });
  }

  /** Changes a locked expense, which is stored when the transaction commits. */
  updateAtCommit(
    manager: EntityManager,
    { openedAt }: OpenCycle,
    expense: CycleExpense,
    changes: Partial<CycleExpense>,
  ): Promise<void> {
    // Later than the last one also where the clock was set back.
    const moment = Math.max(openedAt.getTime(), expense.updatedAt.getTime() + 1);
    const updatedAt = new Date(moment);
    return updateRecordAtCommit(manager, CycleExpense, expense, { updatedAt, ...changes });
  }

  async deactivateAll(manager: EntityManager, cycle: Cycle): Promise<void> {
    await manager.query(
      `UPDATE cycle_expenses SET active = false, updated_at = ${REFRESHED_AT}
       WHERE cycle_id = $1 AND active`,
      [cycle.id],
    );
  }
}

const openCycle = (id: string, row: CycleColumns): OpenCycle => ({
  id,
  status: row.cycle_status,
  openedAt: new Date(row.opened_at),
});

/** The expense as it is stored. */
function made(
  values: NewExpense,
  { id, cycleId, createdAt }: Partial<Pick<CycleExpense, 'id' | 'cycleId' | 'createdAt'>>,
): CycleExpense {
  const stored = { id, cycleId, createdAt, updatedAt: createdAt };
  return Object.assign(new CycleExpense(), values, AS_NEW, stored);
}

function toRow(expense: NewExpense): Record<string, string | null> {
  return {
    template_id: expense.templateId,
    payment_method_id: expense.paymentMethodId,
    description: expense.description,
    currency: expense.currency,
    amount: expense.amount.toFixed(2),
    amount_usd: expense.amountUsd.toFixed(2),
    due_date: expense.dueDate,
    category: expense.category,
    autopay_info: expense.autopayInfo,
    comments: expense.comments,
  };
}
