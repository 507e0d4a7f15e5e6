import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  HouseholdResponse,
  InvitationResponse,
  MemberResponse,
  NewInvitationResponse,
  toHouseholdResponse,
  toInvitationResponse,
  toMemberResponse,
  UpdateHouseholdDto,
  UpdateMemberDto,
} from './dto/household.dto.js';
import { HouseholdsService } from './households.service.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Households')
@ApiBearerAuth()
@Controller('households/current')
export class HouseholdsController {
  constructor(
    private readonly households: HouseholdsService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the own household and its members',
    description:
      'A user belongs to exactly one household. Members see its activity and comments; ' +
      "payment methods, templates, cycles and expenses stay the user's own.",
  })
  @ApiOkResponse({ type: HouseholdResponse })
  async get(@CurrentUser() user: AuthenticatedUser): Promise<HouseholdResponse> {
    return toHouseholdResponse(await this.households.getCurrent(user));
  }

  @Put()
  @ApiOperation({
    summary: 'Rename the household (admins)',
    description: 'A partial update: `{}` changes nothing.',
  })
  @ApiErrors('FORBIDDEN')
  @ApiOkResponse({ type: HouseholdResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: UpdateHouseholdDto,
  ): Promise<HouseholdResponse> {
    return toHouseholdResponse(await this.households.rename(user, dto));
  }

  @Put('members/:user_id')
  @ApiOperation({
    summary: "Change a member's role (admins)",
    description: 'The last active admin cannot step down.',
  })
  @ApiErrors('FORBIDDEN', 'USER_NOT_FOUND', 'RESOURCE_CONFLICT')
  @ApiOkResponse({ type: MemberResponse })
  async updateMember(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('user_id', 'user') memberId: string,
    @Body() dto: UpdateMemberDto,
  ): Promise<MemberResponse> {
    return toMemberResponse(await this.households.changeRole(user, memberId, dto.role));
  }

  @Post('invitations')
  @ApiOperation({
    summary: 'Invite someone to the household (admins)',
    description:
      'The code goes into `invitation_code` of a registration. It works once, for seven ' +
      'days, and is shown only here. Takes no body.',
  })
  @ApiErrors('FORBIDDEN')
  @ApiCreatedResponse({ type: NewInvitationResponse })
  invite(@CurrentUser() user: AuthenticatedUser): Promise<NewInvitationResponse> {
    return this.invitations.invite(user);
  }

  @Get('invitations')
  @ApiOperation({
    summary: 'List open invitations, without their codes (admins)',
    description: 'Those that are neither used, nor revoked, nor expired, newest first.',
  })
  @ApiErrors('FORBIDDEN')
  @ApiOkResponse({ type: [InvitationResponse] })
  async listInvitations(@CurrentUser() user: AuthenticatedUser): Promise<InvitationResponse[]> {
    return (await this.invitations.listOpen(user)).map(toInvitationResponse);
  }

  @Delete('invitations/:id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Revoke an open invitation (admins)',
    description: 'Its code is refused from now on. One that is no longer open is a 404.',
  })
  @ApiErrors('FORBIDDEN', 'RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async revoke(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'invitation') id: string,
  ): Promise<void> {
    await this.invitations.revoke(user, id);
  }
}
