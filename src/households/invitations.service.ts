import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { Database } from '../platform/database/database.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { NewInvitationResponse } from './dto/household.dto.js';
import { HouseholdsService } from './households.service.js';
import type { Invitation } from './invitation.entity.js';
import { InvitationsRepository } from './invitations.repository.js';

const VALIDITY_MS = 7 * 24 * 60 * 60 * 1000;
const CODE_BYTES = 24;

/** Invitations to a household: single use, seven days (see docs/api.md). */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly households: HouseholdsService,
    private readonly repository: InvitationsRepository,
  ) {}

  /**
   * Creates an invitation; only the response contains its code.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin
   */
  invite(user: AuthenticatedUser): Promise<NewInvitationResponse> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + VALIDITY_MS);
    return this.database.transaction(async (manager) => {
      await this.households.requireAdmin(manager, user);
      await this.repository.insert(manager, {
        householdId: user.householdId,
        createdBy: user.id,
        codeHash: hash(code),
        expiresAt,
      });
      return { code, expires_at: expiresAt.toISOString() };
    });
  }

  /**
   * Invitations that can be used, newest first.
   *
   * @throws DomainError FORBIDDEN unless the user is an admin
   */
  listOpen(user: AuthenticatedUser): Promise<Invitation[]> {
    return this.database.transaction(async (manager) => {
      await this.households.requireAdmin(manager, user);
      return this.repository.listOpen(manager, user.householdId);
    });
  }

  /** @throws DomainError FORBIDDEN unless the user is an admin; ResourceNotFoundError */
  async revoke(user: AuthenticatedUser, id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.households.requireAdmin(manager, user);
      const isRevoked = await this.repository.remove(manager, user.householdId, id);
      if (!isRevoked) throw new ResourceNotFoundError('invitation');
    });
  }

  /**
   * Uses an invitation in the caller's transaction; after a rollback it remains open.
   *
   * @param join adds the member to the household. It comes first, because Citus locks a table that a statement
   *   writes: other transactions lock the users before the invitations
   * @throws ResourceNotFoundError for a wrong, used, revoked or expired code
   */
  async redeem<Member>(
    manager: EntityManager,
    code: string,
    join: (householdId: string) => Promise<Member>,
  ): Promise<Member> {
    const invitation = await this.repository.findOpen(manager, hash(code));
    if (!invitation) throw new ResourceNotFoundError('invitation');
    const { id, householdId } = invitation;
    const member = await join(householdId);
    // Of concurrent uses only one deletes it.
    const isUsed = await this.repository.remove(manager, householdId, id);
    if (!isUsed) throw new ResourceNotFoundError('invitation');
    return member;
  }
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
