import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Mapping } from '../database/mapping.js';
import { readRecords, REFRESHED_AT, ROW_LOCKS, updateRecord } from '../database/records.js';
import type { PaymentMethod, PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import { BALANCE_SQL } from './balance.js';
import { CycleExpense } from './cycle-expense.entity.js';
import type { Cycle } from './cycle.entity.js';

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

export interface LockedExpense {
  expense: CycleExpense;
  /** Not locked: it may be changed meanwhile. */
  method: Pick<PaymentMethod, 'id' | 'name' | 'methodType'>;
}

interface MethodColumns {
  method_name: string;
  method_type: PaymentMethodType;
}

type MadeByDatabase = Pick<
  CycleExpense,
  'id' | 'seq' | 'createdAt' | 'updatedAt' | 'status' | 'paid' | 'paidAt' | 'active'
>;

/** The statement itself does not see yet what it inserts, so the balance is that before it, less that. */
const INSERT = `
  WITH made AS (
    INSERT INTO cycle_expenses (cycle_id, template_id, payment_method_id, description, currency,
      amount, amount_usd, due_date, category, autopay_info, comments)
    SELECT $1, template_id, payment_method_id, description, currency,
      amount, amount_usd, due_date, category, autopay_info, comments
    FROM ROWS FROM (jsonb_to_recordset($2) AS (
      template_id uuid, payment_method_id uuid, description text, currency currency_code,
      amount numeric, amount_usd numeric, due_date date, category expense_category,
      autopay_info text, comments text
    )) WITH ORDINALITY AS expense
    ORDER BY ordinality
    RETURNING id, seq, created_at, updated_at, status, paid, paid_at, active, amount_usd
  ), balanced AS (
    UPDATE cycles SET remaining_balance = ${BALANCE_SQL} - (SELECT sum(amount_usd) FROM made)
    WHERE id = $1
  )
  SELECT id, seq, created_at AS "createdAt", updated_at AS "updatedAt", status, paid,
    paid_at AS "paidAt", active
  FROM made ORDER BY seq`;

/** The expenses of a cycle that the caller holds the lock of: who has the cycle has its expenses. */
@Injectable()
export class CycleExpensesRepository {
  /**
   * In their order, and the cycle's balance with them. One statement and two parameters, however many
   * expenses.
   */
  async insert(
    manager: EntityManager,
    cycle: Cycle,
    values: readonly NewExpense[],
  ): Promise<CycleExpense[]> {
    const made = await manager.query<MadeByDatabase[]>(INSERT, [
      cycle.id,
      JSON.stringify(values.map(toRow)),
    ]);
    return values.map((value, at) =>
      Object.assign(new CycleExpense(), value, { cycleId: cycle.id }, made[at]),
    );
  }

  async lock(manager: EntityManager, cycle: Cycle, id: string): Promise<LockedExpense | null> {
    const mapping = Mapping.of(manager, CycleExpense);
    const [row] = await manager.query<MethodColumns[]>(
      `SELECT e.*, pm.name AS method_name, pm.method_type
       FROM (
         SELECT ${mapping.selection} FROM ${mapping.table}
         WHERE id = $1 AND cycle_id = $2 AND active
         ${ROW_LOCKS.update}
       ) AS e
       JOIN payment_methods pm ON pm.id = e."paymentMethodId"`,
      [id, cycle.id],
    );
    if (!row) return null;
    const expense = mapping.fromStored(row);
    const { method_name: name, method_type: methodType } = row;
    return { expense, method: { id: expense.paymentMethodId, name, methodType } };
  }

  lockAll(manager: EntityManager, cycle: Cycle): Promise<CycleExpense[]> {
    return readRecords(manager, CycleExpense, {
      where: { cycleId: cycle.id, active: true },
      order: 'oldest first',
      lock: 'update',
    });
  }

  update(
    manager: EntityManager,
    expense: CycleExpense,
    changes: Partial<CycleExpense>,
  ): Promise<void> {
    return updateRecord(manager, CycleExpense, expense, changes);
  }

  async deactivateAll(manager: EntityManager, cycle: Cycle): Promise<void> {
    await manager.query(
      `UPDATE cycle_expenses SET active = false, updated_at = ${REFRESHED_AT}
       WHERE cycle_id = $1 AND active`,
      [cycle.id],
    );
  }
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
