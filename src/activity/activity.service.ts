import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { insertRows } from '../platform/database/repositories.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { ActivityRecord, type ActivityAction, type EntityType } from './activity-record.entity.js';
import { listActivity, type ActivityWithActor } from './activity.queries.js';
import type { Changes } from './changes.js';
import { readFeed, scopeOf, type FeedPage, type FeedQuery } from './feed.js';

/** The description of a mutation. */
export interface ActivityEntry {
  entityType: EntityType;
  entityId: string;
  /** The cycle whose feed shows the record. */
  cycleId?: string;
  action: ActivityAction;
  changes: Changes;
}

@Injectable()
export class ActivityService {
  constructor(private readonly database: Database) {}

  /**
   * Writes a record for each entry, in the given order, in the transaction of the mutation.
   *
   * @throws Error when no transaction is active, which is a programming error
   */
  async record(
    manager: EntityManager,
    actor: AuthenticatedUser,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    if (!manager.queryRunner?.isTransactionActive) {
      throw new Error('Activity must be recorded in the transaction of the mutation');
    }
    const { id: actorUserId, householdId } = actor;
    await insertRows(
      manager,
      ActivityRecord,
      entries.map((entry) => ({ ...entry, householdId, actorUserId })),
    );
  }

  /** The household's records in the scope of the query, newest first; empty without a scope. */
  async list(reader: AuthenticatedUser, query: FeedQuery): Promise<FeedPage<ActivityWithActor>> {
    const scope = scopeOf(query);
    if (!scope) return { items: [], hasMore: false };
    const { manager } = this.database;
    return readFeed(query, (slice) => listActivity(reader, manager, scope, slice));
  }
}
