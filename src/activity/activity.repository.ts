import { Injectable } from '@nestjs/common';
import { In, type EntityManager, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import { User } from '../users/user.entity.js';
import { ActivityRecord } from './activity-record.entity.js';

export type NewActivityRecord = Omit<ActivityRecord, 'id' | 'seq' | 'createdAt'>;

/** The actor is null when the account has been removed since. */
export type ActivityRecordWithActor = ActivityRecord & {
  actor: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'> | null;
};

/** Keeps a statement well below PostgreSQL's 65,535 parameters. */
const ROWS_PER_INSERT = 1000;

@Injectable()
export class ActivityRepository {
  async append(manager: EntityManager, records: readonly NewActivityRecord[]): Promise<void> {
    for (let at = 0; at < records.length; at += ROWS_PER_INSERT) {
      await manager
        .createQueryBuilder()
        .insert()
        // As a plain target: the partial type of a recursive JSON column has no end.
        .into<ObjectLiteral>(ActivityRecord)
        .values(records.slice(at, at + ROWS_PER_INSERT))
        .updateEntity(false)
        .execute();
    }
  }

  /** Newest first. */
  async list(
    manager: EntityManager,
    where: FindOptionsWhere<ActivityRecord>,
    limit: number,
  ): Promise<ActivityRecordWithActor[]> {
    const records = await manager.find(ActivityRecord, {
      where,
      order: { seq: 'DESC' },
      take: limit,
    });
    const actors = await manager.find(User, {
      select: { id: true, email: true, firstName: true, lastName: true },
      where: { id: In([...new Set(records.map((record) => record.actorUserId))]) },
    });
    const byId = new Map(actors.map((actor) => [actor.id, actor]));
    return records.map((record) => ({ ...record, actor: byId.get(record.actorUserId) ?? null }));
  }

  /** The place of a record in the household's order of events; nothing when it has none such. */
  async seqOf(
    manager: EntityManager,
    householdId: string,
    id: string,
  ): Promise<string | undefined> {
    const record = await manager.findOne(ActivityRecord, {
      select: { id: true, seq: true },
      where: { id, householdId },
    });
    return record?.seq;
  }
}
