import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager, type ObjectLiteral } from 'typeorm';
import { ActivityRecord } from './activity-record.entity.js';
import type { FeedScope } from './feed.js';

export type NewActivityRecord = Omit<ActivityRecord, 'id' | 'seq' | 'createdAt'>;

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
  list(
    manager: EntityManager,
    householdId: string,
    scope: FeedScope,
    page: { limit: number; beforeSeq?: string },
  ): Promise<ActivityRecord[]> {
    return manager.find(ActivityRecord, {
      where: {
        householdId,
        ...scope,
        ...(page.beforeSeq !== undefined && { seq: LessThan(page.beforeSeq) }),
      },
      order: { seq: 'DESC' },
      take: page.limit,
    });
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
