import { Injectable } from '@nestjs/common';
import sql, { raw } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
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
    const isNotDeleted = isDeletable ? sql`active` : sql`true`;
    const [target] = await query<{ cycleId: string | null }>(
      manager,
      sql`
        SELECT ${raw(cycleId)} AS "cycleId" FROM ${raw(table)}
        WHERE household_id = ${householdId} AND id = ${id} AND ${isNotDeleted} FOR SHARE`,
    );
    return target ?? null;
  }
}
