import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database, type Scope } from '../platform/database/database.js';
import type { Statement } from '../platform/database/query.js';
import { insertRows } from '../platform/database/repositories.js';
import type { Requester } from '../platform/values/requester.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { ActivityRecord } from './activity-record.entity.js';
import {
  countDeletionsWithCycles,
  findActivityRecord,
  listActivity,
  listDeletionsWithCycle,
  listRecordsToUndo,
} from './activity.queries.js';
import type { ActivityResponse } from './dto/activity.dto.js';
import { readFeed, scopeOf, type ActivityQuery, type FeedPage } from './feed.js';
import type { ActivityEntry } from './mutation.js';
import { MAX_RECORDS_OF_UNDO, recordNotFound, tooManyRecords, Undo } from './undo.js';

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
    this.announce(scope);
  }

  /**
   * Prepares {@link record} before the transaction of the mutation, which must run it and call
   * {@link announce}.
   */
  prepare(
    { id: userId, householdId, operationId }: Requester,
    entries: readonly ActivityEntry[],
  ): Statement {
    const records = recordsOf({ userId, householdId, operationId }, entries);
    return this.database.prepareInsert(ActivityRecord, records);
  }

  /** Tells the request, once the transaction is committed, that it has written records. */
  announce({ manager, operation }: Scope): void {
    this.database.afterCommit(manager, () => {
      operation.hasWritten = true;
    });
  }

  /** The household's records in the scope of the query, newest first; empty without a scope. */
  async list(reader: AuthenticatedUser, query: ActivityQuery): Promise<FeedPage<ActivityResponse>> {
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
    return record ? new Undo(record) : recordNotFound();
  }

  /**
   * The undos of the records of an operation of the user, the latest first; not of entries whose
   * cycle the operation creates, deletes or brings back, nor of comments and of what it created
   * inactive, unless it has no others.
   *
   * @throws ResourceNotFoundError when there are none, or one is of a type that this version does
   *   not know; DomainError RESOURCE_CONFLICT when there are too many
   */
  async listUndosOfOperation(scope: Scope, operationId: string): Promise<Undo[]> {
    const records = await listRecordsToUndo(scope, operationId, MAX_RECORDS_OF_UNDO + 1);
    const [first] = records;
    if (!first) recordNotFound();
    if (first.isLeftOut) return [new Undo(first)];
    const others = records.filter(({ isLeftOut }) => !isLeftOut);
    if (others.length > MAX_RECORDS_OF_UNDO) throw tooManyRecords();
    return others.map((record) => new Undo(record));
  }

  /**
   * The undos of the deletions of the entries that were deleted together with a deleted cycle, in
   * their order.
   */
  async listUndosWithCycle(scope: Scope, cycleId: string): Promise<Undo[]> {
    const deletions = await listDeletionsWithCycle(scope, cycleId);
    return deletions.map((deletion) => new Undo(deletion));
  }

  /** How many undos {@link listUndosWithCycle} gives for several cycles, up to `max`. */
  countUndosWithCycles(scope: Scope, cycleIds: readonly string[], max: number): Promise<number> {
    return countDeletionsWithCycles(scope, cycleIds, max);
  }
}

const recordsOf = (
  {
    userId: actorUserId,
    householdId,
    operationId,
  }: Pick<Scope, 'userId' | 'householdId' | 'operationId'>,
  entries: readonly ActivityEntry[],
): Partial<ActivityRecord>[] =>
  entries.map((entry) => ({
    ...entry,
    id: entry.id ?? randomUUID(),
    householdId,
    actorUserId,
    operationId,
  }));
