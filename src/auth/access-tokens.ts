import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { UserId } from '../common/user-id.js';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';

export const ACCESS_TOKEN_SECONDS = 30 * 60;
export const TOKEN_ALGORITHM = 'HS256';

/**
 * The key of the tokens. Not the text of the secret: with every token the library would try first whether
 * that is a public key, which takes longer than the rest of a request.
 */
export function tokenKey({ authSecret }: Settings): KeyObject {
  return createSecretKey(authSecret, 'utf8');
}

/** `iat` and `exp` are seconds since 1970. */
interface TokenClaims {
  sub: UserId;
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
}

/** Who a valid token speaks for; whether there is such a user has not been asked yet. */
export interface TokenSubject {
  userId: UserId;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Reads the bearer token of a request. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'access-token') {
  constructor(@Inject(SETTINGS) settings: Settings) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // It is handed to jsonwebtoken as it is, which the typings of the strategy do not know.
      secretOrKey: tokenKey(settings) as KeyObject & Buffer,
      algorithms: [TOKEN_ALGORITHM],
    });
  }

  /** Called with the claims of a token whose signature and expiry are right. */
  validate(claims: Partial<TokenClaims>): TokenSubject | false {
    return isAccessToken(claims) && { userId: claims.sub, expiresAt: claims.exp * 1000 };
  }
}

/** A token without an expiry would be valid for ever; its signature alone does not make it ours. */
function isAccessToken(claims: Partial<TokenClaims>): claims is TokenClaims {
  return claims.type === 'access' && typeof claims.exp === 'number' && isUUID(claims.sub, 'loose');
}
