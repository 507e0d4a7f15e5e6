import { Body, Controller, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { MAX_PUBLIC_BODY_BYTES } from '../platform/http/body-limits.js';
import { FormBody, JsonBody } from '../platform/http/body.interceptor.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser, UserAgent } from '../users/current-user.decorator.js';
import { UserResponse } from '../users/dto/user.dto.js';
import { MAX_MEMBERS } from '../users/household.entity.js';
import { RegistrationGuard } from '../users/registration.js';
import { RequiresSignIn } from '../users/requires-sign-in.decorator.js';
import { Public } from './access-token.guard.js';
import { AccountLimited } from './account-limit.interceptor.js';
import { AuthService } from './auth.service.js';
import {
  ChangePasswordDto,
  LoginDto,
  PasswordChangedResponse,
  RegisterDto,
  TokenResponse,
} from './dto/auth.dto.js';

@ApiTags('Authentication and users')
@RequiresSignIn()
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('register')
  @Public()
  @UseGuards(RegistrationGuard)
  @AccountLimited(JsonBody({ maxBytes: MAX_PUBLIC_BODY_BYTES }))
  @ApiOperation({
    summary: 'Register a user',
    description:
      'Only `email` and `password` are required. The e-mail is stored in lower case and is ' +
      'unique regardless of case. Creates a household with the user as its admin; with an ' +
      '`invitation_code` the user joins the inviting household as a member instead. A failed ' +
      'registration leaves the invitation usable. `GET /account` says whether the service takes ' +
      'registrations, and whether they need an invitation.',
  })
  @ApiErrors(
    'USER_ALREADY_EXISTS',
    'FORBIDDEN',
    new ResourceNotFoundError('invitation'),
    new LimitReachedError('household_member', MAX_MEMBERS),
  )
  @ApiCreatedResponse({ type: UserResponse })
  registerUser(@Body() dto: RegisterDto): Promise<UserResponse> {
    return this.auth.register(dto);
  }

  @Post('login')
  @Public()
  @AccountLimited(FormBody(MAX_PUBLIC_BODY_BYTES, 'username', 'password'))
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log in with e-mail and password',
    description:
      'Takes the OAuth2 password form, URL-encoded; `username` is the e-mail (`email` is ' +
      'accepted instead). Begins a session, whose access token is valid for `expires_in` ' +
      'seconds; `POST /auth/refresh` gives another one. The response ' +
      'does not reveal whether the e-mail exists.',
  })
  @ApiErrors('INVALID_CREDENTIALS', 'INACTIVE_USER')
  @ApiOkResponse({ type: TokenResponse })
  logIn(@Body() dto: LoginDto, @UserAgent() userAgent?: string): Promise<TokenResponse> {
    return this.auth.login(dto, userAgent);
  }

  @Put('me/password')
  @JsonBody()
  @RateLimited('auth')
  @ApiBearerAuth()
  @ApiOperation({
    summary: 'Change the password of the current user',
    description:
      'Requires the current password. Counts, like register and login, towards the limit of ' +
      '10 requests per minute. Ends all sessions of the user, with all their tokens, and all ' +
      'personal access tokens and reset tokens; the response has the token of a new session.',
  })
  @ApiErrors('INCORRECT_PASSWORD')
  @ApiOkResponse({ type: PasswordChangedResponse })
  changePassword(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: ChangePasswordDto,
    @UserAgent() userAgent?: string,
  ): Promise<PasswordChangedResponse> {
    return this.auth.changePassword(user.id, dto, userAgent);
  }
}
