import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/database/database.js';
import { insertRows, lockRow, sendUpdate } from '../platform/database/repositories.js';
import { nextUpdatedAt } from '../records/record-updates.js';
import { CalendarFeed } from './calendar-feed.entity.js';

@Injectable()
export class CalendarFeedsRepository {
  insert(scope: Scope, values: Omit<CalendarFeed, 'seq' | 'userId' | 'householdId'>): void {
    const { userId, householdId } = scope;
    insertRows(scope, CalendarFeed, [{ ...values, userId, householdId }]);
  }

  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(CalendarFeed).count({ where: { householdId, userId } });
  }

  /** The feeds of the user, newest first. */
  list({ manager, userId, householdId }: Scope): Promise<CalendarFeed[]> {
    return manager.getRepository(CalendarFeed).find({
      where: { householdId, userId },
      order: { seq: 'DESC' },
    });
  }

  /** A feed of the user, locked until the transaction ends. */
  lock({ manager, userId, householdId }: Scope, id: string): Promise<CalendarFeed | null> {
    return lockRow(manager.getRepository(CalendarFeed), { id, householdId, userId }, 'update');
  }

  /** Writes values to a locked feed. */
  update({ manager, householdId }: Scope, feed: CalendarFeed, values: Partial<CalendarFeed>): void {
    Object.assign(feed, values, { updatedAt: nextUpdatedAt(feed) });
    const { id, updatedAt } = feed;
    sendUpdate(manager, CalendarFeed, { id, householdId }, { ...values, updatedAt });
  }

  /** Deletes a feed; returns whether it existed. */
  async remove({ manager, userId, householdId }: Scope, id: string): Promise<boolean> {
    const { raw } = (await manager
      .createQueryBuilder()
      .delete()
      .from(CalendarFeed)
      .where({ id, householdId, userId })
      .returning('id')
      .execute()) as { raw: object[] };
    return raw.length === 1;
  }
}
