import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Post,
  Res,
  UseGuards,
  type CanActivate,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { onRequestEnd } from '#http-host';
import { Public } from '../auth/access-token.guard.js';
import { AccountLimited } from '../auth/account-limit.interceptor.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { MAX_PUBLIC_BODY_BYTES } from '../platform/http/body-limits.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { Uncounted } from '../platform/openapi/uncounted.decorator.js';
import { Reads } from '../route-decorators.js';
import {
  AccountOptionsResponse,
  ConfirmPasswordResetDto,
  RequestPasswordResetDto,
} from './dto/account.dto.js';
import { PasswordResetsService } from './password-resets.service.js';
import { ReminderLinksService } from './reminder-links.service.js';

/** There is no such route while no mails can be sent. */
@Injectable()
class PasswordResetGuard implements CanActivate {
  constructor(private readonly resets: PasswordResetsService) {}

  /** @throws ResourceNotFoundError */
  canActivate(): boolean {
    if (!this.resets.canBeRequested) throw new ResourceNotFoundError('route');
    return true;
  }
}

/** What people without an access token can do: outside the API prefix. */
@ApiTags('Authentication and users')
@Public()
@Controller('account')
export class AccountController {
  constructor(
    private readonly resets: PasswordResetsService,
    private readonly reminderLinks: ReminderLinksService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Uncounted()
  @Reads(AccountOptionsResponse, {
    summary: 'Get what a sign-in page can offer',
    description:
      'Whether people can register, request a new password and get reminders: settings of the service. Requires no token.',
  })
  getAccountOptions(): AccountOptionsResponse {
    return {
      registration: this.settings.registration,
      password_reset: this.resets.canBeRequested,
      reminders: this.reminderLinks.canBeSent,
    };
  }

  @Post('password-reset')
  @HttpCode(202)
  @UseGuards(PasswordResetGuard)
  @AccountLimited(JsonBody({ maxBytes: MAX_PUBLIC_BODY_BYTES }))
  @ApiOperation({
    summary: 'Request a new password',
    description:
      'Sends the user with this e-mail a link with a token for `POST /account/password-reset/confirm`, valid once, ' +
      'for one hour; it has 256 random bits, and the service stores a hash of it. The mail is in Spanish if the ' +
      '`locale` of the user begins with `es`, otherwise in English, and has the end of that hour in the `time_zone` ' +
      'of the user. The response comes before the account is looked up: it is the same for an unknown e-mail. A user ' +
      'who is not active gets no mail. Of a user at most three tokens are valid: with the next one the oldest ends. ' +
      'At most five are made in an hour; then the response is the same, but no mail is sent and no token ends. Not ' +
      'found where the service sends no mails: `GET /account` says so.',
  })
  @ApiErrors(new ResourceNotFoundError('route'))
  @ApiAcceptedResponse({
    description: 'The link is sent if there is such an account',
    schema: { type: 'object', additionalProperties: false, example: {} },
  })
  requestPasswordReset(
    @Body() { email }: RequestPasswordResetDto,
    @Res({ passthrough: true }) response: Response,
  ): object {
    onRequestEnd(response, () => this.resets.request(email));
    return {};
  }

  @Post('password-reset/confirm')
  @HttpCode(204)
  @AccountLimited(JsonBody({ maxBytes: MAX_PUBLIC_BODY_BYTES }), 'token')
  @ApiOperation({
    summary: 'Set a new password with a token',
    description:
      'Takes the token of a link that was sent by mail or that an operator gave. Ends all sessions, personal access ' +
      'tokens and reset tokens of the user. With an invalid `new_password` the token stays valid. An unknown, used, ' +
      'ended or expired token is a 401. A token that an operator made for a deactivated user is a 403; it can be ' +
      'used when the user is active again.',
  })
  @ApiErrors('INVALID_TOKEN', 'INACTIVE_USER')
  @ApiNoContentResponse({ description: 'The password is set' })
  confirmPasswordReset(@Body() dto: ConfirmPasswordResetDto): Promise<void> {
    return this.resets.confirm(dto);
  }
}
