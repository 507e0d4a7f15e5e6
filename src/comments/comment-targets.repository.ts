import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { RECORD_TYPES, type CommentableType } from '../records/record-types.js';

/** Reads the entities that can be commented on. */
@Injectable()
export class CommentTargetsRepository {
  /**
   * The entity of the household, locked against deletion until the transaction ends; null if it
   * does not exist.
   */
  async lock(
    { manager, householdId }: Scope,
    { type, id }: { type: CommentableType; id: string },
  ): Promise<{ cycleId: string | null } | null> {
    const { table, cycleId, isDeletable } = RECORD_TYPES[type];
    const isNotDeleted = isDeletable ? 'active' : 'true';
    const [target] = await manager.query<{ cycleId: string | null }[]>(
      `SELECT ${cycleId} AS "cycleId" FROM ${table}
       WHERE household_id = $1 AND id = $2 AND ${isNotDeleted} FOR SHARE`,
      [householdId, id],
    );
    return target ?? null;
  }
}
