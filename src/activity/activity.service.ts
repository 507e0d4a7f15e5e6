import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database, type Scope } from '../platform/database/database.js';
import { insertRows, type PreparedInsert } from '../platform/database/repositories.js';
import type { Owner } from '../platform/values/user-id.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { ActivityRecord } from './activity-record.entity.js';
import { findActivityRecord, listActivity, listDeletionsWithCycle } from './activity.queries.js';
import type { ActivityResponse } from './dto/activity.dto.js';
import { STORED_TYPES } from './entity-tables.js';
import { readFeed, scopeOf, type FeedPage, type FeedQuery } from './feed.js';
import type { ActivityEntry } from './mutation.js';
import { recordNotFound, Undo } from './undo.js';

@Injectable()
export class ActivityService {
  constructor(private readonly database: Database) {}

  /**
   * Writes a record for each entry, in the given order, in the transaction of the mutation.
   *
   * @param entries 1 to `MAX_ROWS`
   * @throws Error when no transaction is active, which is a programming error
   */
  record(scope: Scope, entries: readonly ActivityEntry[]): void {
    insertRows(scope, ActivityRecord, recordsOf(scope, entries));
  }

  /** Like {@link record}, prepared before the transaction of the mutation, which must run it. */
  prepare({ id: userId, householdId }: Owner, entries: readonly ActivityEntry[]): PreparedInsert {
    return this.database.prepareInsert(ActivityRecord, recordsOf({ userId, householdId }, entries));
  }

  /** The household's records in the scope of the query, newest first; empty without a scope. */
  async list(reader: AuthenticatedUser, query: FeedQuery): Promise<FeedPage<ActivityResponse>> {
    const feed = scopeOf(query);
    if (!feed) return { items: [], hasMore: false };
    return readFeed(query, (slice) =>
      this.database.read(reader, (scope) => listActivity(scope, feed, slice)),
    );
  }

  /**
   * The undo of a record of the household; the caller verifies that the entity is the user's.
   *
   * @throws ResourceNotFoundError
   */
  async getUndo(scope: Scope, id: string): Promise<Undo> {
    const record = await findActivityRecord(scope, id);
    const type = STORED_TYPES.find((stored) => stored === record?.entityType);
    return record && type ? new Undo(record, type) : recordNotFound();
  }

  /**
   * The undos of the deletions of the entries that were deleted together with a deleted cycle, in
   * their order.
   */
  async listUndosWithCycle(scope: Scope, cycleId: string): Promise<Undo[]> {
    const deletions = await listDeletionsWithCycle(scope, cycleId);
    return deletions.map((deletion) => new Undo(deletion, deletion.entityType));
  }
}

const recordsOf = (
  { userId: actorUserId, householdId }: Pick<Scope, 'userId' | 'householdId'>,
  entries: readonly ActivityEntry[],
): Partial<ActivityRecord>[] =>
  entries.map((entry) => ({ ...entry, id: entry.id ?? randomUUID(), householdId, actorUserId }));
