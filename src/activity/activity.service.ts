import { Injectable } from '@nestjs/common';
import { Database, type Scope } from '../platform/database/database.js';
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
    { manager, userId: actorUserId, householdId }: Scope,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    if (!manager.queryRunner?.isTransactionActive) {
      throw new Error('Activity must be recorded in the transaction of the mutation');
    }
    await insertRows(
      manager,
      ActivityRecord,
      entries.map((entry) => ({ ...entry, householdId, actorUserId })),
    );
  }

  /** The household's records in the scope of the query, newest first; empty without a scope. */
  async list(reader: AuthenticatedUser, query: FeedQuery): Promise<FeedPage<ActivityWithActor>> {
    const feed = scopeOf(query);
    if (!feed) return { items: [], hasMore: false };
    const scope = this.database.read(reader);
    return readFeed(query, (slice) => listActivity(scope, feed, slice));
  }
}
