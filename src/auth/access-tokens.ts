import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Request } from 'express';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { UserId } from '../common/user-id.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { UsersService } from '../users/users.service.js';
import { inactiveUser, invalidToken } from './auth-errors.js';

export const ACCESS_TOKEN_SECONDS = 30 * 60;
export const TOKEN_ALGORITHM = 'HS256';

/**
 * The key of the tokens. Not the text of the secret: with every token the library would try first whether
 * that is a public key, which takes longer than the rest of a request.
 */
export function tokenKey({ authSecret }: Settings): KeyObject {
  return createSecretKey(authSecret, 'utf8');
}

const fromHeader = ExtractJwt.fromAuthHeaderAsBearerToken();

/** `iat` and `exp` are seconds since 1970. */
interface TokenClaims {
  sub: string;
  type: string;
  iat: number;
  exp: number;
}

@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(userId: UserId): Promise<string> {
    return this.jwt.signAsync({ sub: userId, type: 'access' });
  }

  /** The user that a valid token of the request names, without asking whether there is one. */
  async subjectOf(request: Request): Promise<string | undefined> {
    const token = fromHeader(request);
    if (token === null) return undefined;
    try {
      const claims = await this.jwt.verifyAsync<Partial<TokenClaims>>(token);
      return isAccessToken(claims) ? claims.sub : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Reads the bearer token of a request and finds the user it speaks for. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'access-token') {
  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly users: UsersService,
  ) {
    super({
      jwtFromRequest: fromHeader,
      // It is handed to jsonwebtoken as it is, which the typings of the strategy do not know.
      secretOrKey: tokenKey(settings) as KeyObject & Buffer,
      algorithms: [TOKEN_ALGORITHM],
    });
  }

  /** Called with the claims of a token whose signature and expiry are right. */
  async validate(claims: Partial<TokenClaims>): Promise<AuthenticatedUser> {
    if (!isAccessToken(claims)) throw invalidToken();
    const user = await this.users.findById(claims.sub as UserId);
    if (!user) throw invalidToken();
    if (!user.active) throw inactiveUser();
    const { id, email, householdId, role } = user;
    return { id, email, householdId, role };
  }
}

/** A token without an expiry would be valid for ever; its signature alone does not make it ours. */
function isAccessToken(claims: Partial<TokenClaims>): claims is TokenClaims {
  return claims.type === 'access' && typeof claims.exp === 'number' && isUUID(claims.sub, 'loose');
}
