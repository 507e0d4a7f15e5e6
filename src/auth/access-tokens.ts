import { HttpStatus, Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { countHeader } from '../platform/http/host-header.js';
import type { UserId } from '../platform/values/user-id.js';
import type { TokenResponse } from './dto/auth.dto.js';
import { IdentityCache } from './identity-cache.js';
import type { Identity } from './identity.queries.js';
import type { OpenSession } from './sessions.repository.js';

const ACCESS_TOKEN_SECONDS = 30 * 60;
export const TOKEN_ALGORITHM = 'HS256';

/**
 * The signing key as a KeyObject. With a string, the library would try to parse it as a public key
 * for every token, which takes longer than the rest of a request.
 */
export function tokenKey({ authSecret }: Settings): KeyObject {
  return createSecretKey(authSecret, 'utf8');
}

/** The scheme in any case, and nothing after the token (RFC 6750). */
const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of the Authorization header; null with several headers, of which proxies may use
 * different ones.
 */
export function bearerToken({ headers, rawHeaders }: Request): string | null {
  const { authorization } = headers;
  if (authorization === undefined || countHeader('authorization', rawHeaders) > 1) return null;
  return CREDENTIALS.exec(authorization)?.[1] ?? null;
}

/**
 * `sid` is the session, absent in tokens of version 1.0; `iat` and `exp` are seconds since 1970.
 */
interface TokenClaims {
  sub: UserId;
  sid?: string;
  type: string;
  iat: number;
  exp: number;
}

@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  /**
   * A signed token of a session, valid for {@link ACCESS_TOKEN_SECONDS} but not longer than the
   * session.
   */
  async issue(userId: UserId, session: OpenSession): Promise<TokenResponse> {
    const secondsLeft = Math.floor((Date.parse(session.expires_at) - Date.now()) / 1000);
    const expiresIn = Math.min(ACCESS_TOKEN_SECONDS, secondsLeft);
    return {
      access_token: await this.jwt.signAsync(
        { sub: userId, sid: session.id, type: 'access' },
        { expiresIn },
      ),
      token_type: 'bearer',
      expires_in: expiresIn,
    };
  }
}

/** The user and the session of the bearer token of a request. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy) {
  /**
   * Passport's registry is one per process; applications in one process, as in tests, do not share
   * a strategy.
   */
  readonly id = `access-token ${randomUUID()}`;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly identities: IdentityCache,
  ) {
    super({
      jwtFromRequest: bearerToken,
      // Passed to jsonwebtoken unchanged, which accepts a KeyObject; the typings of the strategy
      // omit it.
      secretOrKey: tokenKey(settings) as KeyObject & Buffer,
      algorithms: [TOKEN_ALGORITHM],
      passReqToCallback: true,
    });
    passport.use(this.id, this);
  }

  /** The library throws for `null` claims instead of calling `fail` as for other invalid tokens. */
  override authenticate(request: Request, options?: object): void {
    try {
      super.authenticate(request, options);
    } catch {
      this.fail(HttpStatus.UNAUTHORIZED);
    }
  }

  /** Called with the claims of a token with a valid signature and expiry; null refuses it. */
  async validate(request: Request, claims: Partial<TokenClaims>): Promise<Identity | null> {
    if (!isAccessToken(claims)) return null;
    const { sub: userId, sid: sessionId, iat, exp } = claims;
    const subject = { userId, sessionId, issuedAt: iat * 1000, expiresAt: exp * 1000 };
    return this.identities.read(bearerToken(request) ?? '', subject);
  }
}

/** Requires the claims of our access tokens; a token without an expiry would never expire. */
function isAccessToken(claims: Partial<TokenClaims>): claims is TokenClaims {
  const { type, sub, sid, iat, exp } = claims;
  const hasTimes = typeof exp === 'number' && typeof iat === 'number';
  const hasIds = isUUID(sub, 'loose') && (sid === undefined || isUUID(sid, 'loose'));
  return type === 'access' && hasTimes && hasIds;
}
