import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { LRUCache } from 'lru-cache';
import type { RequestWithTokenSubject } from '../platform/http/token-subject.js';
import type { TokenSubject } from '../platform/values/user-id.js';
import { bearerToken } from './access-tokens.js';
import { isPublic } from '../platform/http/route-decorators.js';

const MAX_CACHED_TOKENS = 10_000;

/**
 * Verifies the token for the guards that follow. It rejects no request, because rate limits count first. Public
 * routes ignore the token, so that a token cannot bypass their limits.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard('access-token') {
  /** Verified tokens; the expiry is checked on every request. */
  private readonly accessTokenCache = new LRUCache<string, TokenSubject>({
    max: MAX_CACHED_TOKENS,
  });

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<RequestWithTokenSubject>();
    const token = bearerToken(request);
    if (token === null) return true;
    const subject = this.accessTokenCache.get(token);
    if (subject && subject.expiresAt > Date.now()) {
      request.tokenSubject = subject;
      return true;
    }
    await super.canActivate(context);
    if (request.tokenSubject) this.accessTokenCache.set(token, request.tokenSubject);
    return true;
  }

  override getAuthenticateOptions(): { property: keyof RequestWithTokenSubject } {
    return { property: 'tokenSubject' };
  }

  override handleRequest<Subject>(error: Error | null, subject: Subject | false): Subject {
    if (error) throw error;
    return (subject || undefined) as Subject;
  }
}
