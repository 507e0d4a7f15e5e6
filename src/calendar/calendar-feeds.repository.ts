import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from '../platform/values/user-id.js';
import { CalendarFeed } from './calendar-feed.entity.js';

@Injectable()
export class CalendarFeedsRepository {
  async insert(
    { id: userId, householdId }: Owner,
    manager: EntityManager,
    values: Omit<CalendarFeed, 'seq' | 'userId' | 'householdId'>,
  ): Promise<void> {
    await manager.insert(CalendarFeed, { ...values, userId, householdId });
  }

  /** The feeds of the user, newest first. */
  list({ id: userId, householdId }: Owner, manager: EntityManager): Promise<CalendarFeed[]> {
    return manager.find(CalendarFeed, {
      where: { householdId, userId },
      order: { seq: 'DESC' },
    });
  }

  /** Deletes a feed; returns whether it existed. */
  async remove(
    { id: userId, householdId }: Owner,
    manager: EntityManager,
    id: string,
  ): Promise<boolean> {
    const { affected } = await manager.delete(CalendarFeed, { id, householdId, userId });
    return affected === 1;
  }
}
