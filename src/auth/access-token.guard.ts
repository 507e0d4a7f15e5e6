import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { invalidToken } from './auth-errors.js';
import { isPublic } from './public.decorator.js';

/** Demands a valid access token on every route that is not `@Public()`. */
@Injectable()
export class AccessTokenGuard extends AuthGuard('access-token') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    return isPublic(this.reflector, context) ? true : super.canActivate(context);
  }

  override handleRequest<User>(error: Error | null, user: User | false): User {
    if (error) throw error;
    if (!user) throw invalidToken();
    return user;
  }
}
