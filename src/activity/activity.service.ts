import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Database } from '../database/database.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { ActivityRecord, type ActivityAction, type EntityType } from './activity-record.entity.js';
import { ActivityRepository, type ActivityRecordWithActor } from './activity.repository.js';
import type { Changes } from './changes.js';

/** What a mutation tells about itself. */
export interface ActivityEntry {
  entityType: EntityType;
  entityId: string;
  /** The cycle whose feed shows the record. */
  cycleId?: string;
  action: ActivityAction;
  changes: Changes;
}

/** Half a scope (one of type and id) is none. */
export interface ActivityScope {
  entity?: { type: EntityType; id: string };
  cycleId?: string;
}

export interface ActivityPage {
  records: ActivityRecordWithActor[];
  hasMore: boolean;
}

@Injectable()
export class ActivityService {
  constructor(
    private readonly database: Database,
    private readonly repository: ActivityRepository,
  ) {}

  /**
   * Writes one record an entry, in their order, within the mutation's own transaction and after the
   * mutation itself.
   *
   * @throws Error when no transaction is open: that is a bug of the caller
   */
  async record(
    manager: EntityManager,
    actor: AuthenticatedUser,
    entries: readonly ActivityEntry[],
  ): Promise<void> {
    if (!manager.queryRunner?.isTransactionActive) {
      throw new Error('Activity is recorded inside the transaction of its mutation');
    }
    await this.repository.append(
      manager,
      entries.map((entry) => ({
        ...entry,
        cycleId: entry.cycleId ?? null,
        householdId: actor.householdId,
        actorUserId: actor.id,
      })),
    );
  }

  /** The household's records of a scope, newest first; none without a scope. */
  async list(
    reader: AuthenticatedUser,
    scope: ActivityScope,
    page: { limit: number; before?: string },
  ): Promise<ActivityPage> {
    const { entity, cycleId } = scope;
    if (!entity && cycleId === undefined) return { records: [], hasMore: false };

    const { manager } = this.database;
    const where: FindOptionsWhere<ActivityRecord> = {
      householdId: reader.householdId,
      ...(entity && { entityType: entity.type, entityId: entity.id }),
      ...(cycleId !== undefined && { cycleId }),
    };
    if (page.before !== undefined) {
      const seq = await this.repository.seqOf(manager, reader.householdId, page.before);
      if (seq === undefined) return { records: [], hasMore: false };
      where.seq = LessThan(seq);
    }
    const records = await this.repository.list(manager, where, page.limit + 1);
    return { records: records.slice(0, page.limit), hasMore: records.length > page.limit };
  }
}
