import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import type { Scope } from '../platform/database/database.js';
import { insertRows, sendUpdate } from '../platform/database/repositories.js';
import type { Owner } from '../platform/values/user-id.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';

@Injectable()
export class PersonalAccessTokensRepository {
  insert(scope: Scope, values: Omit<PersonalAccessToken, 'seq' | 'userId' | 'householdId'>): void {
    const { userId, householdId } = scope;
    insertRows(scope, PersonalAccessToken, [{ ...values, userId, householdId }]);
  }

  /** The number of the user's unexpired tokens. */
  count({ manager, userId, householdId }: Scope): Promise<number> {
    return manager.getRepository(PersonalAccessToken).count({
      where: { householdId, userId, expiresAt: MoreThan(new Date()) },
    });
  }

  /** Deletes an unexpired token of the user; returns whether there was one. */
  async remove({ manager, userId, householdId }: Scope, id: string): Promise<boolean> {
    const { raw } = (await manager
      .createQueryBuilder()
      .delete()
      .from(PersonalAccessToken)
      .where({ id, householdId, userId, expiresAt: MoreThan(new Date()) })
      .returning('id')
      .execute()) as { raw: object[] };
    return raw.length === 1;
  }

  /** Lets the user's tokens expire now. */
  expireAll(manager: EntityManager, { id: userId, householdId }: Owner): void {
    const now = new Date();
    const unexpired = { householdId, userId, expiresAt: MoreThan(now) };
    sendUpdate(manager, PersonalAccessToken, unexpired, { expiresAt: now });
  }

  async setLastUse(manager: EntityManager, { householdId }: Owner, id: string): Promise<void> {
    await manager.update(PersonalAccessToken, { householdId, id }, { lastUsedAt: new Date() });
  }
}
