import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { bearerToken, type TokenSubject } from './access-tokens.js';
import { isPublic } from './public.decorator.js';

/** A request after this guard: without a subject when it has no valid token. */
export type CheckedRequest = Request & { tokenSubject?: TokenSubject };

const MOST_KNOWN = 10_000;

/**
 * Reads the token, once for all the guards that follow, and refuses nothing yet: requests count towards
 * the limits first. A public route does not ask for a token, so none can lift its limit.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard('access-token') {
  /** By token: signatures are checked once, the expiry every time. */
  private readonly known = new LRUCache<string, TokenSubject>({ max: MOST_KNOWN });

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<CheckedRequest>();
    const token = bearerToken(request);
    if (token === null) return true;
    const subject = this.known.get(token);
    if (subject && subject.expiresAt > Date.now()) {
      request.tokenSubject = subject;
      return true;
    }
    await super.canActivate(context);
    if (request.tokenSubject) this.known.set(token, request.tokenSubject);
    return true;
  }

  override getAuthenticateOptions(): { property: keyof CheckedRequest } {
    return { property: 'tokenSubject' };
  }

  override handleRequest<Subject>(error: Error | null, subject: Subject | false): Subject {
    if (error) throw error;
    return (subject || undefined) as Subject;
  }
}
