import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdateProfileDto } from '../auth/dto/auth.dto.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { UserResponse } from '../users/dto/user.dto.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import { ProfileService } from './profile.service.js';

@ApiTags('Authentication and users')
@ApiBearerAuth()
@Controller('auth/me')
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Get()
  @Reads(UserResponse, {
    summary: 'Get the current user',
    description: 'The user of the access token.',
  })
  getCurrentUser(@CurrentUser() user: AuthenticatedUser): Promise<UserResponse> {
    return this.profiles.get(user.id);
  }

  @Put()
  @RequiresSignIn()
  @JsonBody()
  @ApiOperation({
    summary: 'Update the current user',
    description:
      'A partial update: omitted fields keep their values, `null` clears `first_name` and ' +
      '`last_name`. An update without changes leaves `updated_at`. The e-mail cannot be changed. ' +
      'With `reminders.enabled` true, also if it was before, and an e-mail that is not confirmed, ' +
      'a mail with a link to confirm it is sent, if the service sends any: see `GET /account`.',
  })
  @ApiOkResponse({ type: UserResponse })
  updateCurrentUser(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: UpdateProfileDto,
  ): Promise<UserResponse> {
    return this.profiles.update(user.id, dto);
  }
}
