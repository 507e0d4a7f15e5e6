import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import { Strategy } from 'passport-jwt';
import type { Request } from 'express';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { STATUS_OF_CODE } from '../common/errors/error-code.js';
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

/** The scheme in any case, and nothing after the token (RFC 6750). */
const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i;

/** Of two headers it is not known which one others on the way went by: neither is believed. */
export function bearerToken({ headers, rawHeaders }: Request): string | null {
  const { authorization } = headers;
  if (authorization === undefined || times('authorization', rawHeaders) > 1) return null;
  return CREDENTIALS.exec(authorization)?.[1] ?? null;
}

/** How often a header is among names and values in turn. */
const times = (name: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;

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
      jwtFromRequest: bearerToken,
      // It is handed to jsonwebtoken as it is, which the typings of the strategy do not know.
      secretOrKey: tokenKey(settings) as KeyObject & Buffer,
      algorithms: [TOKEN_ALGORITHM],
    });
  }

  /** The library throws at claims that are `null`, where it tells of everything else that is wrong. */
  override authenticate(request: Request, options?: object): void {
    try {
      super.authenticate(request, options);
    } catch {
      this.fail(STATUS_OF_CODE.INVALID_TOKEN);
    }
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
