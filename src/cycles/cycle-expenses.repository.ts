import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readRecord, readRecords, updateRecord } from '../database/records.js';
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

type MadeByDatabase = Pick<
  CycleExpense,
  'id' | 'seq' | 'createdAt' | 'updatedAt' | 'status' | 'paid' | 'paidAt' | 'active'
>;

/** The expenses of a cycle that the caller holds the lock of: who has the cycle has its expenses. */
@Injectable()
export class CycleExpensesRepository {
  /** In their order. One statement and two parameters, however many expenses. */
  async insert(
    manager: EntityManager,
    cycle: Cycle,
    values: readonly NewExpense[],
  ): Promise<CycleExpense[]> {
    const made = await manager.query<MadeByDatabase[]>(
      `INSERT INTO cycle_expenses (cycle_id, template_id, payment_method_id, description, currency,
         amount, amount_usd, due_date, category, autopay_info, comments)
       SELECT $1, template_id, payment_method_id, description, currency,
         amount, amount_usd, due_date, category, autopay_info, comments
       FROM ROWS FROM (jsonb_to_recordset($2) AS (
         template_id uuid, payment_method_id uuid, description text, currency currency_code,
         amount numeric, amount_usd numeric, due_date date, category expense_category,
         autopay_info text, comments text
       )) WITH ORDINALITY AS expense
       ORDER BY ordinality
       RETURNING id, seq, created_at AS "createdAt", updated_at AS "updatedAt", status, paid,
         paid_at AS "paidAt", active`,
      [cycle.id, JSON.stringify(values.map(toRow))],
    );
    return values.map((value, at) =>
      Object.assign(new CycleExpense(), value, { cycleId: cycle.id }, made[at]),
    );
  }

  lock(manager: EntityManager, cycle: Cycle, id: string): Promise<CycleExpense | null> {
    return readRecord(manager, CycleExpense, {
      where: { id, cycleId: cycle.id, active: true },
      lock: 'update',
    });
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
    await manager.update(CycleExpense, { cycleId: cycle.id, active: true }, { active: false });
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
