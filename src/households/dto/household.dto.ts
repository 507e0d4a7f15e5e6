import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, TextField } from '../../platform/dto/fields.js';
import {
  CreatedAtProperty,
  EnumProperty,
  InstantProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { PersonResponse, toPersonResponse } from '../../users/dto/user.dto.js';
import type { Household } from '../../users/household.entity.js';
import { USER_ROLES, type User, type UserRole } from '../../users/user.entity.js';
import type { Invitation } from '../invitation.entity.js';

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateHouseholdDto {
  @TextField({
    min: 1,
    max: 100,
    omittable: true,
    example: 'Casa Ruiz',
    description: '1 to 100 characters; need not be unique',
  })
  name?: string;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateMemberDto {
  @EnumField(USER_ROLES, 'UserRole', {
    omittable: true,
    example: 'admin',
    description: 'The rights of the member in the household',
  })
  role?: UserRole;
}

@ApiSchema({ description: 'A member of a household' })
export class MemberResponse extends PersonResponse {
  @EnumProperty(USER_ROLES, 'UserRole', {
    example: 'admin',
    description: 'The rights of the member in the household',
  })
  role!: UserRole;
}

@ApiSchema({ description: 'A household: users who share activity and comments' })
export class HouseholdResponse {
  @UuidProperty(EXAMPLE_ID.household, { description: 'The id of the household' })
  id!: string;

  @TextProperty({ example: 'Casa Ruiz', description: 'The name that its members see' })
  name!: string;

  @ApiProperty({ type: [MemberResponse], description: 'In order of joining' })
  members!: MemberResponse[];

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

@ApiSchema({ description: 'A new invitation to a household, with its code' })
export class CreatedInvitationResponse {
  @TextProperty({
    example: 'pX3vQ0bW9sK2mJ7tR5yZ1a',
    description:
      'Single use; only this response contains it. Null where the response is sent again for ' +
      'the same `Idempotency-Key`',
    nullable: true,
  })
  code!: string;

  @InstantProperty({
    example: '2026-01-25T16:20:31.482Z',
    description: 'Seven days after creation',
  })
  expires_at!: string;
}

@ApiSchema({ description: 'An invitation to a household, without its code' })
export class InvitationResponse {
  @UuidProperty(EXAMPLE_ID.invitation, { description: 'The id of the invitation' })
  id!: string;

  @UuidProperty(EXAMPLE_ID.user, { description: 'The id of the member who created it' })
  created_by!: string;

  @CreatedAtProperty()
  created_at!: string;

  @InstantProperty({
    example: '2026-01-25T16:20:31.482Z',
    description: 'Seven days after creation',
  })
  expires_at!: string;
}

export function toMemberResponse(user: User): MemberResponse {
  return { ...toPersonResponse(user), role: user.role };
}

export function toHouseholdResponse({
  household,
  members,
}: {
  household: Household;
  members: User[];
}): HouseholdResponse {
  return {
    id: household.id,
    name: household.name,
    members: members.map(toMemberResponse),
    created_at: household.createdAt.toISOString(),
    updated_at: household.updatedAt.toISOString(),
  };
}

export function toInvitationResponse(invitation: Invitation): InvitationResponse {
  return {
    id: invitation.id,
    created_by: invitation.createdBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  };
}
