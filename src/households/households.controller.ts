import { Body, Controller, Delete, Get, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { NoBody } from '../platform/dto/request-validation.pipe.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { UuidParam } from '../records/record-ids.js';
import { Intercepted, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { RegistrationGuard } from '../users/registration.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import {
  HouseholdResponse,
  InvitationResponse,
  MemberResponse,
  CreatedInvitationResponse,
  UpdateHouseholdDto,
  UpdateMemberDto,
} from './dto/household.dto.js';
import { HouseholdsService, lastAdmin } from './households.service.js';
import { MAX_OPEN_INVITATIONS } from './invitation.entity.js';
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
  @Reads(HouseholdResponse, {
    summary: 'Get your household and its members',
    description:
      'A user belongs to exactly one household. Members see its activity and comments; ' +
      'payment methods, templates, cycles and expenses belong to their user.',
  })
  getHousehold(@CurrentUser() user: AuthenticatedUser): Promise<HouseholdResponse> {
    return this.households.getCurrent(user);
  }

  @Put()
  @RequiresSignIn()
  @JsonBody()
  @ApiOperation({
    summary: 'Update the household',
    description: 'A partial update: omitted fields keep their values. Requires the admin role.',
  })
  @ApiErrors('FORBIDDEN')
  @ApiOkResponse({ type: HouseholdResponse })
  updateHousehold(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: UpdateHouseholdDto,
  ): Promise<HouseholdResponse> {
    return this.households.rename(user, dto);
  }

  @Put('members/:user_id')
  @RequiresSignIn()
  @JsonBody()
  @ApiOperation({
    summary: "Update a member's role",
    description: 'Requires the admin role. The last active admin cannot become a member.',
  })
  @ApiErrors('FORBIDDEN', 'USER_NOT_FOUND', lastAdmin())
  @ApiOkResponse({ type: MemberResponse })
  updateHouseholdMember(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('user_id', 'user') memberId: string,
    @Body() dto: UpdateMemberDto,
  ): Promise<MemberResponse> {
    return this.households.changeRole(user, memberId, dto.role);
  }

  @Post('invitations')
  @RequiresSignIn()
  @UseGuards(RegistrationGuard)
  @Intercepted({ body: JsonBody(), idempotency: Idempotent({ secretField: 'code' }) })
  @ApiOperation({
    summary: 'Create an invitation',
    description:
      'Requires the admin role. The code is used once as `invitation_code` of a registration, ' +
      'within seven days; only this response contains it: a response that is sent again for ' +
      'the same `Idempotency-Key` has null in its place. Takes no body.',
  })
  @ApiErrors('FORBIDDEN', new LimitReachedError('invitation', MAX_OPEN_INVITATIONS))
  @ApiCreatedResponse({ type: CreatedInvitationResponse })
  createInvitation(
    @CurrentUser() user: AuthenticatedUser,
    @NoBody() _body: undefined,
  ): Promise<CreatedInvitationResponse> {
    return this.invitations.invite(user);
  }

  @Get('invitations')
  @RequiresSignIn()
  @Reads([InvitationResponse], {
    summary: 'List open invitations',
    description:
      'Requires the admin role. Invitations that are not used, revoked or expired, newest ' +
      'first, without their codes.',
    errors: ['FORBIDDEN'],
  })
  listInvitations(@CurrentUser() user: AuthenticatedUser): Promise<InvitationResponse[]> {
    return this.invitations.listOpen(user);
  }

  @Delete('invitations/:id')
  @RequiresSignIn()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Revoke an invitation',
    description:
      'Requires the admin role. The code becomes invalid. An invitation that is not open is ' +
      'not found.',
  })
  @ApiErrors('FORBIDDEN', 'RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async revokeInvitation(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'invitation') id: string,
  ): Promise<void> {
    await this.invitations.revoke(user, id);
  }
}
