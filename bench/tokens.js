// @ts-check
/** Issues and verifies the service's access tokens with node:crypto alone. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from './json.js';

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** @param {{ userId: string, sessionId?: string, secret: string, seconds: number }} of */
export function issueToken({ userId, sessionId, secret, seconds }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: userId, sid: sessionId, type: 'access', iat: now, exp: now + seconds };
  const signingInput = `${HEADER}.${encode(claims)}`;
  return `${signingInput}.${sign(signingInput, secret).toString('base64url')}`;
}

/**
 * The id of the user that a valid token names.
 *
 * @param {string | undefined} authorization
 * @param {string} secret
 * @returns {string | undefined}
 */
export function subjectOf(authorization, secret) {
  const token = authorization?.slice('Bearer '.length) ?? '';
  const end = token.lastIndexOf('.');
  const signingInput = token.slice(0, end);
  const received = Buffer.from(token.slice(end + 1), 'base64url');
  const expected = sign(signingInput, secret);
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
  const claims = /** @type {{ sub: string, type: string, exp: number }} */ (
    parseJson(
      Buffer.from(signingInput.slice(signingInput.indexOf('.') + 1), 'base64url').toString(),
    )
  );
  return claims.type === 'access' && claims.exp > Date.now() / 1000 ? claims.sub : undefined;
}

/** @param {string} signingInput @param {string} secret */
const sign = (signingInput, secret) => createHmac('sha256', secret).update(signingInput).digest();

/** @param {object} value */
function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
