import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRecords, updateRecord } from '../database/records.js';
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

/** The expenses of a cycle that the caller holds the lock of: who has the cycle has its expenses. */
@Injectable()
export class CycleExpensesRepository {
  async insert(
    manager: EntityManager,
    cycle: Cycle,
    values: readonly NewExpense[],
  ): Promise<CycleExpense[]> {
    const expenses = values.map((value) =>
      Object.assign(new CycleExpense(), value, { cycleId: cycle.id }),
    );
    await insertRecords(manager, CycleExpense, expenses);
    return expenses;
  }

  lock(manager: EntityManager, cycle: Cycle, id: string): Promise<CycleExpense | null> {
    return manager.findOne(CycleExpense, {
      where: { id, cycleId: cycle.id, active: true },
      lock: { mode: 'pessimistic_write' },
    });
  }

  lockAll(manager: EntityManager, cycle: Cycle): Promise<CycleExpense[]> {
    return manager.find(CycleExpense, {
      where: { cycleId: cycle.id, active: true },
      order: { seq: 'ASC' },
      lock: { mode: 'pessimistic_write' },
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
