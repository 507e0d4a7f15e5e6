import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { FormBody } from '../common/http/form-body.decorator.js';
import { RateLimited } from '../common/http/rate-limited.decorator.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { toUserResponse, UserResponse } from '../users/user.response.js';
import { AuthService } from './auth.service.js';
import {
  ChangePasswordDto,
  LoginDto,
  MessageResponse,
  RegisterDto,
  TokenResponse,
  UpdateProfileDto,
} from './dto/auth.dto.js';
import { Public } from './public.decorator.js';

@ApiTags('Authentication and users')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('register')
  @Public()
  @RateLimited('auth')
  @ApiOperation({
    summary: 'Create an account',
    description:
      'Only `email` and `password` are required. The e-mail is stored in lower case and is ' +
      'unique without regard to case. Makes a household with the user as its admin; with an ' +
      '`invitation_code` the user joins that household as a member instead, and a ' +
      'registration that fails leaves the invitation usable.',
  })
  @ApiErrors('USER_ALREADY_EXISTS', 'RESOURCE_NOT_FOUND')
  @ApiCreatedResponse({ type: UserResponse })
  async register(@Body() dto: RegisterDto): Promise<UserResponse> {
    return toUserResponse(await this.auth.register(dto));
  }

  @Post('login')
  @Public()
  @RateLimited('auth')
  @HttpCode(200)
  @FormBody()
  @ApiOperation({
    summary: 'Sign in with e-mail and password',
    description:
      'The OAuth2 password form, URL-encoded: `username` is the e-mail (`email` is taken in ' +
      'its place). The token is valid for `expires_in` seconds. A wrong e-mail and a wrong ' +
      'password cannot be told apart.',
  })
  @ApiErrors('INVALID_CREDENTIALS', 'INACTIVE_USER')
  @ApiOkResponse({ type: TokenResponse })
  login(@Body() dto: LoginDto): Promise<TokenResponse> {
    return this.auth.login(dto);
  }

  @Get('me')
  @ApiBearerAuth()
  @ApiOperation({
    summary: 'Read the own account',
    description: 'The user that the token names, never with the password.',
  })
  @ApiOkResponse({ type: UserResponse })
  me(@CurrentUser() user: AuthenticatedUser): Promise<UserResponse> {
    return this.auth.profile(user.id);
  }

  @Put('me')
  @ApiBearerAuth()
  @ApiOperation({
    summary: 'Change the own account',
    description:
      'A partial update: what is left out stays, `null` clears `first_name` and ' +
      '`last_name`. Nothing changed leaves `updated_at`. The e-mail cannot be changed.',
  })
  @ApiOkResponse({ type: UserResponse })
  async updateProfile(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: UpdateProfileDto,
  ): Promise<UserResponse> {
    return toUserResponse(await this.auth.updateProfile(user.id, dto));
  }

  @Put('me/password')
  @RateLimited('auth')
  @ApiBearerAuth()
  @ApiOperation({
    summary: 'Change the own password',
    description:
      'The current password is demanded too. Counts, as registering and signing in do, ' +
      'towards the limit of 10 a minute. Tokens that were given out stay valid until they ' +
      'expire.',
  })
  @ApiErrors('INCORRECT_PASSWORD')
  @ApiOkResponse({ type: MessageResponse })
  async changePassword(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: ChangePasswordDto,
  ): Promise<MessageResponse> {
    await this.auth.changePassword(user.id, dto);
    return { message: 'Password updated successfully' };
  }
}
