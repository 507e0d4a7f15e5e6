import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { NoBody } from '../platform/dto/request-validation.pipe.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { UuidParam } from '../records/record-ids.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import { AuthService } from './auth.service.js';
import { SessionResponse, TokenResponse } from './dto/auth.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Authentication and users')
@ApiBearerAuth()
@RequiresSignIn()
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
  ) {}

  @Post('refresh')
  @JsonBody()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get a new access token for the session',
    description:
      'Works with a valid token until 30 days after the sign-in (operators can configure ' +
      'another period). Earlier tokens stay valid until they expire.',
  })
  @ApiOkResponse({ type: TokenResponse })
  refreshToken(
    @CurrentUser() user: AuthenticatedUser,
    @NoBody() _body: undefined,
  ): Promise<TokenResponse> {
    return this.auth.refresh(user);
  }

  @Post('logout')
  @JsonBody()
  @HttpCode(204)
  @ApiOperation({
    summary: 'End the session of the token',
    description: 'All tokens of the session are refused from then on.',
  })
  @ApiNoContentResponse()
  async logOut(@CurrentUser() user: AuthenticatedUser, @NoBody() _body: undefined): Promise<void> {
    await this.auth.logout(user);
  }

  @Get('sessions')
  @Reads([SessionResponse], {
    summary: 'List the open sessions of the current user',
    description: 'Newest first. Each sign-in is a session; ended and expired ones are not listed.',
  })
  listSessions(@CurrentUser() user: AuthenticatedUser): Promise<SessionResponse[]> {
    return this.sessions.list(user);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'End a session',
    description: 'All tokens of the session are refused, by every process within three seconds.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async endSession(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'session') id: string,
  ): Promise<void> {
    await this.auth.endSession(user, id);
  }
}
