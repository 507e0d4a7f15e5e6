import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { insertRows, sendUpdate } from '../platform/database/repositories.js';
import type { Owner, UserId } from '../platform/values/user-id.js';
import { PasswordResetToken } from './password-reset-token.entity.js';

@Injectable()
export class PasswordResetTokensRepository {
  insert(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    values: Pick<PasswordResetToken, 'tokenHash' | 'byOperator' | 'createdAt' | 'expiresAt'>,
  ): void {
    insertRows({ manager }, PasswordResetToken, [{ ...values, userId, householdId }]);
  }

  /** The user of a token that is valid. */
  async findUserId(manager: EntityManager, tokenHash: string): Promise<UserId | undefined> {
    const token = await manager.getRepository(PasswordResetToken).findOne({
      select: { userId: true },
      where: { tokenHash, endedAt: IsNull(), expiresAt: MoreThan(new Date()) },
    });
    return token?.userId;
  }

  /** Those that the user has requested since a time, ended ones included, the oldest first. */
  listRequested(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    since: Date,
  ): Promise<PasswordResetToken[]> {
    return manager.getRepository(PasswordResetToken).find({
      where: { householdId, userId, byOperator: false, createdAt: MoreThan(since) },
      order: { seq: 'ASC' },
    });
  }

  end(
    manager: EntityManager,
    { householdId }: Owner,
    tokens: readonly Pick<PasswordResetToken, 'id'>[],
  ): void {
    sendEnd(manager, { householdId, id: In(tokens.map(({ id }) => id)) });
  }

  /** Ends all tokens of the user, those of operators included. */
  endAll(manager: EntityManager, { id: userId, householdId }: Owner): void {
    sendEnd(manager, { householdId, userId, endedAt: IsNull() });
  }
}

function sendEnd(manager: EntityManager, where: FindOptionsWhere<PasswordResetToken>): void {
  sendUpdate(manager, PasswordResetToken, where, { endedAt: new Date() });
}
