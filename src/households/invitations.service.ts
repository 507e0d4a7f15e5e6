import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sendTogether } from '#postgres';
import { Database } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { hashOfToken, newToken } from '../platform/values/secret-token.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { MAX_MEMBERS } from '../users/household.entity.js';
import { UsersService } from '../users/users.service.js';
import {
  toInvitationResponse,
  type CreatedInvitationResponse,
  type InvitationResponse,
} from './dto/household.dto.js';
import { MAX_OPEN_INVITATIONS, type Invitation } from './invitation.entity.js';
import { InvitationsRepository } from './invitations.repository.js';

const VALIDITY_MS = 7 * 24 * 60 * 60 * 1000;
const CODE_BYTES = 24;

/** Invitations to a household, each for one registration within seven days. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly repository: InvitationsRepository,
  ) {}

  /**
   * Creates an invitation; only the result contains its code.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin, RESOURCE_CONFLICT at the limit
   */
  invite(user: AuthenticatedUser): Promise<CreatedInvitationResponse> {
    const code = newToken(CODE_BYTES);
    const expiresAt = new Date(Date.now() + VALIDITY_MS);
    return this.database.transaction(user, async (scope) => {
      const [stored] = await sendTogether([
        this.repository.countOpen(scope),
        this.users.requireAdmin(scope),
      ]);
      assertWithinLimit('invitation', { stored, limit: MAX_OPEN_INVITATIONS });
      this.repository.insert(scope, { codeHash: hashOfToken(code), expiresAt });
      return { code, expires_at: expiresAt.toISOString() };
    });
  }

  /**
   * Invitations that can be used, newest first.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin
   */
  listOpen(user: AuthenticatedUser): Promise<InvitationResponse[]> {
    return this.database.transaction(user, async (scope) => {
      await this.users.requireAdmin(scope);
      return (await this.repository.listOpen(scope)).map(toInvitationResponse);
    });
  }

  /** @throws DomainError FORBIDDEN unless the user is an admin; ResourceNotFoundError */
  async revoke(user: AuthenticatedUser, id: string): Promise<void> {
    await this.database.transaction(user, async (scope) => {
      await this.users.requireAdmin(scope);
      const isRevoked = await this.repository.remove(scope, id);
      if (!isRevoked) throw new ResourceNotFoundError('invitation');
    });
  }

  /** @throws ResourceNotFoundError for a wrong, used, revoked or expired code */
  async getOpen(manager: EntityManager, code: string): Promise<Invitation> {
    const invitation = await this.repository.findOpen(manager, hashOfToken(code));
    if (!invitation) throw new ResourceNotFoundError('invitation');
    return invitation;
  }

  /**
   * Uses an invitation in the transaction that has added the member; after a rollback it remains
   * open. The member comes first: Citus locks a table that a statement writes, and other
   * transactions lock the users before the invitations.
   *
   * @throws ResourceNotFoundError when it has been used or revoked in the meantime; DomainError
   *   RESOURCE_CONFLICT when the household had the maximum number of members
   */
  async use(manager: EntityManager, invitation: Invitation): Promise<void> {
    const [members, isUsed] = await sendTogether([
      this.users.countMembers(manager, invitation.householdId),
      // Only one of several concurrent uses deletes it.
      this.repository.use(manager, invitation),
    ]);
    assertWithinLimit('household_member', { stored: members - 1, limit: MAX_MEMBERS });
    if (!isUsed) throw new ResourceNotFoundError('invitation');
  }
}
