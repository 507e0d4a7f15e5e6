import { Body, Controller, Get, Header, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../auth/access-token.guard.js';
import { AccountLimited } from '../auth/account-limit.interceptor.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { MAX_PUBLIC_BODY_BYTES } from '../platform/http/body-limits.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { IgnoresBody } from '../platform/openapi/ignored-body.decorator.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import { EXAMPLE_LINK_TOKEN, LinkTokenDto } from './dto/account.dto.js';
import { ReminderLinksService } from './reminder-links.service.js';
import { unsubscribedPage, unsubscribePage } from './unsubscribe-pages.js';

const TokenParameter = ApiQuery({
  name: 'token',
  required: false,
  description: 'The token in the address of the mail',
  schema: { type: 'string', example: EXAMPLE_LINK_TOKEN },
});

/** What the links in mails of reminders do: outside the API prefix. */
@ApiTags('Authentication and users')
@Public()
@Controller('account/reminders')
export class RemindersController {
  constructor(private readonly links: ReminderLinksService) {}

  @Post('confirm')
  @HttpCode(204)
  @AccountLimited(JsonBody({ maxBytes: MAX_PUBLIC_BODY_BYTES }), 'token')
  @ApiOperation({
    summary: 'Confirm reminders with a token',
    description:
      'Takes the token of the link that was sent to the user, valid once, for 24 hours: reminders are sent to this ' +
      'e-mail, until it changes. An unknown, used or expired token, or one that was sent to a former e-mail, is a 401.',
  })
  @ApiErrors('INVALID_TOKEN')
  @ApiNoContentResponse({ description: 'The e-mail is confirmed' })
  confirmReminders(@Body() { token }: LinkTokenDto): Promise<void> {
    return this.links.confirm(token);
  }

  @Get('unsubscribe')
  @RateLimited('auth')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @TokenParameter
  @ApiOperation({
    summary: 'Ask whether to turn reminders off',
    description:
      'The page of the link in a reminder: a button that sends the `POST`. It changes nothing, because programs open ' +
      'the links of mails, too.',
  })
  @ApiProduces('text/html')
  @ApiOkResponse({ schema: { type: 'string', example: '<!doctype html>' } })
  getUnsubscribePage(@Req() request: Request): string {
    return unsubscribePage(request.acceptsLanguages('en', 'es'));
  }

  @Post('unsubscribe')
  @HttpCode(200)
  @IgnoresBody()
  @RateLimited('auth')
  @TokenParameter
  @ApiOperation({
    summary: 'Turn reminders off',
    description:
      'For mail applications (RFC 8058), with the token in a reminder, which does not expire. The body is not read. ' +
      'The response does not show whether the token is valid: `{}`, or a page for a browser.',
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: false, example: {} } })
  async endReminders(@Req() request: Request): Promise<object | string> {
    const { token } = request.query;
    if (typeof token === 'string') await this.links.unsubscribe(token);
    if (request.accepts('json', 'html') !== 'html') return {};
    request.res?.type('html');
    return unsubscribedPage(request.acceptsLanguages('en', 'es'));
  }
}
