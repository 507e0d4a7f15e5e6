import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CommentableType } from './comment.entity.js';

/** Reads an entity of a household that is not deleted. $1: entity, $2: household. */
const TARGET_SQL: Record<CommentableType, string> = {
  payment_method: `SELECT NULL::uuid AS cycle_id FROM payment_methods t
    WHERE t.id = $1 AND t.household_id = $2`,
  recurrent_expense: `SELECT NULL::uuid AS cycle_id FROM expense_templates t
    WHERE t.id = $1 AND t.household_id = $2`,
  cycle: `SELECT t.id AS cycle_id FROM cycles t
    WHERE t.id = $1 AND t.household_id = $2 AND t.active`,
  cycle_expense: `SELECT t.cycle_id FROM cycle_expenses t
    WHERE t.id = $1 AND t.household_id = $2 AND t.active`,
  recurrent_income: `SELECT NULL::uuid AS cycle_id FROM income_templates t
    WHERE t.id = $1 AND t.household_id = $2`,
  cycle_income: `SELECT t.cycle_id FROM cycle_incomes t
    WHERE t.id = $1 AND t.household_id = $2 AND t.active`,
};

/** Reads the entities that can be commented on. */
@Injectable()
export class CommentTargetsRepository {
  /** The entity, locked against deletion until the transaction ends; undefined if it does not exist. */
  async lock(
    manager: EntityManager,
    householdId: string,
    target: { type: CommentableType; id: string },
  ): Promise<{ cycleId: string | null } | undefined> {
    const [found] = await manager.query<{ cycle_id: string | null }[]>(
      `${TARGET_SQL[target.type]} FOR SHARE OF t`,
      [target.id, householdId],
    );
    return found && { cycleId: found.cycle_id };
  }
}
