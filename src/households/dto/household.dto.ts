import { ApiProperty } from '@nestjs/swagger';
import { EnumField, TextField } from '../../common/http/fields.js';
import type { Household } from '../../users/household.entity.js';
import { PersonResponse, toPersonResponse } from '../../users/person.js';
import { USER_ROLES, type User, type UserRole } from '../../users/user.entity.js';
import type { Invitation } from '../invitation.entity.js';

/** A partial update: what is left out stays. */
export class UpdateHouseholdDto {
  @TextField({ min: 1, max: 100, omittable: true, example: 'Casa Ruiz' })
  name?: string;
}

export class UpdateMemberDto {
  @EnumField(USER_ROLES, 'UserRole', { omittable: true })
  role?: UserRole;
}

export class MemberResponse extends PersonResponse {
  @ApiProperty({ enum: USER_ROLES, enumName: 'UserRole' })
  role!: UserRole;
}

export class HouseholdResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Casa Ruiz' })
  name!: string;

  @ApiProperty({ type: [MemberResponse], description: 'In the order they joined' })
  members!: MemberResponse[];

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class NewInvitationResponse {
  @ApiProperty({ description: 'Shown only here: pass it on; it works once' })
  code!: string;

  @ApiProperty({ format: 'date-time', description: 'Seven days from now' })
  expires_at!: string;
}

export class InvitationResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  created_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
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
