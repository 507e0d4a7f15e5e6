import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { INSTANT } from '../platform/database/columns.js';
import type { UserId } from '../platform/values/user-id.js';
import { Household } from '../users/household.entity.js';
import { Secret } from '../users/user-secret.js';
import { User } from '../users/user.entity.js';

/** The invitations of a household that can be used. */
export const MAX_OPEN_INVITATIONS = 50;

/** An open invitation to a household; deleted when it is used or revoked. */
@Entity('household_invitations')
@Unique('uq_household_invitations_code_hash', ['codeHash'])
export class Invitation extends Secret {
  @Index('ix_household_invitations_household_id')
  @ForeignKey(() => Household, {
    name: 'fk_household_invitations_household_id',
    onDelete: 'CASCADE',
  })
  @Column({ name: 'household_id', type: 'uuid' })
  householdId!: string;

  @ForeignKey(() => User, { name: 'fk_household_invitations_created_by', onDelete: 'CASCADE' })
  @Column({ name: 'created_by', type: 'uuid' })
  createdBy!: UserId;

  /** SHA-256 in hex, so that the table does not contain usable codes. */
  @Column({ name: 'code_hash', type: 'varchar', length: 64 })
  codeHash!: string;

  @Column({ ...INSTANT, name: 'expires_at' })
  expiresAt!: Date;
}
