import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { CalendarFeed } from './calendar-feed.entity.js';

@Injectable()
export class CalendarFeedsRepository {
  async insert(manager: EntityManager, feed: Omit<CalendarFeed, 'seq'>): Promise<void> {
    await manager.insert(CalendarFeed, { ...feed });
  }

  /** The feeds of the user, newest first. */
  list(manager: EntityManager, { id, householdId }: AuthenticatedUser): Promise<CalendarFeed[]> {
    return manager.find(CalendarFeed, {
      where: { householdId, userId: id },
      order: { seq: 'DESC' },
    });
  }

  /** Deletes a feed; returns whether it existed. */
  async remove(
    manager: EntityManager,
    { id: userId, householdId }: AuthenticatedUser,
    id: string,
  ): Promise<boolean> {
    const { affected } = await manager.delete(CalendarFeed, { id, householdId, userId });
    return affected === 1;
  }
}
