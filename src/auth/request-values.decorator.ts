import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestWithTokenSubject } from '../platform/http/token-subject.js';

/** The `User-Agent` header of the request. */
export const UserAgent = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<RequestWithTokenSubject>().get('User-Agent'),
);

/** The id of the session of the access token; undefined for a token that names none. */
export const CurrentSessionId = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<RequestWithTokenSubject>().tokenSubject?.sessionId,
);
