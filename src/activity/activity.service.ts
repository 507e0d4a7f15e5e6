import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { ActivityAction, EntityType } from './activity-record.entity.js';
import { ActivityRepository, type ActivityWithActor } from './activity.repository.js';
import type { Changes } from './changes.js';
import { readFeed, scopeOf, type FeedPage, type FeedQuery } from './feed.js';

/** What a mutation tells about itself. */
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
  constructor(
    private readonly database: Database,
    private readonly repository: ActivityRepository,
  ) {}

  /**
   * Has one record an entry written, in their order, as the last thing in the mutation's own transaction.
   *
   * @throws Error when no transaction is open: that is a bug of the caller
   */
  async record(
    manager: EntityManager,
    actor: AuthenticatedUser,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    await this.repository.append(
      manager,
      entries.map(({ entityType, entityId, cycleId = null, action, changes }) => ({
        householdId: actor.householdId,
        entityType,
        entityId,
        cycleId,
        actorUserId: actor.id,
        action,
        changes,
      })),
    );
  }

  /** The household's records of the scope, newest first; none without a scope. */
  async list(reader: AuthenticatedUser, query: FeedQuery): Promise<FeedPage<ActivityWithActor>> {
    const scope = scopeOf(query);
    if (!scope) return { items: [], hasMore: false };
    const { manager } = this.database;
    const { householdId } = reader;
    return readFeed(query, (slice) => this.repository.list(manager, householdId, scope, slice));
  }
}
