import { Controller, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { IsReadOnly } from '../platform/http/read-only.decorator.js';
import { ForwardsRequests } from '../platform/rate-limits/forwards-requests.decorator.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { AssistantsService } from './assistants.service.js';
import { MessageLimit } from './message-limit.interceptor.js';

/**
 * The Model Context Protocol, for assistants: outside the API prefix, and not in the OpenAPI
 * document, because the protocol describes itself.
 */
@ApiExcludeController()
@Controller('mcp')
export class AssistantsController {
  constructor(private readonly assistants: AssistantsService) {}

  /** A token with `read` access may send messages; the operation of a tool refuses it if it writes. */
  @Post()
  @IsReadOnly(true)
  @ForwardsRequests(true)
  @JsonBody()
  @UseInterceptors(MessageLimit)
  async receiveMessage(
    @Req() request: Request & { user: AuthenticatedUser },
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const answer = await this.assistants.answer(request);
    const text = await answer.text();
    response.status(answer.status);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}
