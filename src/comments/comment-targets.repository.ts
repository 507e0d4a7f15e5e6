import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CommentableType } from './comment.entity.js';

/** Finds an entity of the household (`$2`) by its id (`$1`), for as long as it is not deleted. */
const TARGET_SQL: Record<CommentableType, string | undefined> = {
  payment_method: `SELECT NULL::uuid AS cycle_id FROM payment_methods t
    JOIN users u ON u.id = t.user_id WHERE t.id = $1 AND u.household_id = $2`,
  recurrent_expense: `SELECT NULL::uuid AS cycle_id FROM expense_templates t
    JOIN users u ON u.id = t.user_id WHERE t.id = $1 AND u.household_id = $2`,
  cycle: `SELECT t.id AS cycle_id FROM cycles t
    JOIN users u ON u.id = t.user_id WHERE t.id = $1 AND u.household_id = $2 AND t.active`,
  cycle_expense: `SELECT t.cycle_id FROM cycle_expenses t JOIN cycles c ON c.id = t.cycle_id
    JOIN users u ON u.id = c.user_id WHERE t.id = $1 AND u.household_id = $2 AND t.active`,
  // Named by the enumeration; the service keeps no such entities.
  recurrent_income: undefined,
  cycle_income: undefined,
};

/** Knows the tables of what can be commented on, and nothing else of them. */
@Injectable()
export class CommentTargetsRepository {
  /** The entity, kept from being deleted until the transaction ends; undefined where there is none. */
  async lock(
    manager: EntityManager,
    householdId: string,
    target: { type: CommentableType; id: string },
  ): Promise<{ cycleId: string | null } | undefined> {
    const sql = TARGET_SQL[target.type];
    if (sql === undefined) return undefined;
    const [found] = await manager.query<{ cycle_id: string | null }[]>(`${sql} FOR SHARE OF t`, [
      target.id,
      householdId,
    ]);
    return found && { cycleId: found.cycle_id };
  }
}
