import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { TokenSubject } from './access-tokens.js';
import { isPublic } from './public.decorator.js';

/** A request after this guard: without a subject when it has no valid token. */
export type CheckedRequest = Request & { tokenSubject?: TokenSubject };

/**
 * Reads the token, once for all the guards that follow, and refuses nothing yet: requests count towards
 * the limits first. A public route does not ask for a token, so none can lift its limit.
 */
@Injectable()
export class AccessTokenGuard extends AuthGuard('access-token') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    return isPublic(this.reflector, context) ? true : super.canActivate(context);
  }

  override getAuthenticateOptions(): { property: keyof CheckedRequest } {
    return { property: 'tokenSubject' };
  }

  override handleRequest<Subject>(error: Error | null, subject: Subject | false): Subject {
    if (error) throw error;
    return (subject || undefined) as Subject;
  }
}
