import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { UuidParam } from '../records/record-ids.js';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import {
  CreatePersonalAccessTokenDto,
  CreatedPersonalAccessTokenResponse,
  PersonalAccessTokenResponse,
} from './dto/personal-access-token.dto.js';
import { MAX_PERSONAL_ACCESS_TOKENS } from './personal-access-token.entity.js';
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';

@ApiTags('Authentication and users')
@ApiBearerAuth()
@RequiresSignIn()
@Controller('auth/tokens')
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Post()
  @JsonBody()
  @ApiOperation({
    summary: 'Create a personal access token',
    description:
      'For scripts, which send it in place of the token of a sign-in until it expires. It is refused with 403 for ' +
      'the account (but `GET /auth/me` is allowed), for what requires the admin role, and to create or update ' +
      'calendar feeds; with `read` access, for all but GET, HEAD, `POST /forecast`, `POST /cycles/preview` and ' +
      '`POST /occurrences`, dry runs included. A password change and a deactivation end all. Only this response has the token, of which the service stores a hash; a request that is sent twice creates two.',
  })
  @ApiErrors(new LimitReachedError('personal_access_token', MAX_PERSONAL_ACCESS_TOKENS))
  @ApiCreatedResponse({ type: CreatedPersonalAccessTokenResponse })
  createPersonalAccessToken(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreatePersonalAccessTokenDto,
  ): Promise<CreatedPersonalAccessTokenResponse> {
    return this.tokens.create(user, dto);
  }

  @Get()
  @Reads([PersonalAccessTokenResponse], {
    summary: 'List the personal access tokens of the current user',
    description:
      'Newest first, without the tokens themselves; ended and expired ones are not listed.',
  })
  listPersonalAccessTokens(
    @CurrentUser() user: AuthenticatedUser,
  ): Promise<PersonalAccessTokenResponse[]> {
    return this.tokens.list(user);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'End a personal access token',
    description: 'It is refused at once, by every process.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async endPersonalAccessToken(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'personalAccessToken') id: string,
  ): Promise<void> {
    await this.tokens.end(user, id);
  }
}
