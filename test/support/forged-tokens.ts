/** Access tokens made by others than the service, or for other ends. */
import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { NOBODY } from './one-of-everything.js';
import { TEST_SECRET } from './service.js';

const OTHER_SECRET = 'the secret of another deployment';

/** From now, as tokens tell the time. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** What the service puts into a token for a user. */
const rightClaims = (sub: unknown): Record<string, unknown> => ({
  sub,
  type: 'access',
  iat: inSeconds(0),
  exp: inSeconds(60),
});

interface Forgery {
  header?: unknown;
  secret?: string;
  hash?: string;
}

/** A token as the service makes it, but for what is said. */
function forge(
  claims: unknown,
  { header = { alg: 'HS256', typ: 'JWT' }, secret = TEST_SECRET, hash = 'sha256' }: Forgery = {},
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

const forgeHeader = (sub: string, header: object, forgery: Forgery = {}): string =>
  forge(rightClaims(sub), { header: { alg: 'HS256', typ: 'JWT', ...header }, ...forgery });

export const forgeClaims = (sub: string, claims: object): string =>
  forge({ ...rightClaims(sub), ...claims });

/** Nothing is left of claims that are undefined. */
const forgeWithout = (sub: string, claim: string): string =>
  forge({ ...rightClaims(sub), [claim]: undefined });

const keyPair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function forgeAsymmetric(sub: string): string {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(rightClaims(sub))}`;
  return `${signed}.${signWith('sha256', Buffer.from(signed), keyPair.privateKey).toString('base64url')}`;
}

function forgeNone(sub: string, alg: string): string {
  return `${encode({ alg, typ: 'JWT' })}.${encode(rightClaims(sub))}.`;
}

const segments = (token: string): [string, string, string] =>
  token.split('.') as [string, string, string];

/** As the service makes it. */
export const rightToken = (sub: string): string => forge(rightClaims(sub));

/** Each makes a token for a user's id that the service must not believe. */
export const FORGERIES: Record<string, (sub: string) => string> = {
  // Of other algorithms.
  'has no signature (alg none)': (sub) => forgeNone(sub, 'none'),
  'has no signature (alg None)': (sub) => forgeNone(sub, 'None'),
  'says alg none beside a right signature': (sub) => forgeHeader(sub, { alg: 'none' }),
  'names no algorithm': (sub) => forgeHeader(sub, { alg: undefined }),
  'is signed with HS384': (sub) => forgeHeader(sub, { alg: 'HS384' }, { hash: 'sha384' }),
  'is signed with HS512': (sub) => forgeHeader(sub, { alg: 'HS512' }, { hash: 'sha512' }),
  'says HS256 and is signed with HS512': (sub) => forgeHeader(sub, {}, { hash: 'sha512' }),
  'says hs256 in lower case': (sub) => forgeHeader(sub, { alg: 'hs256' }),
  'is signed with RS256': forgeAsymmetric,
  'says RS256 and is signed with the secret': (sub) => forgeHeader(sub, { alg: 'RS256' }),
  'is signed with a public key for a secret': (sub) =>
    forgeHeader(sub, {}, { secret: keyPair.publicKey }),

  // Of other keys.
  'is of another deployment': (sub) => forge(rightClaims(sub), { secret: OTHER_SECRET }),
  'is signed with an empty key': (sub) => forge(rightClaims(sub), { secret: '' }),
  'brings its key along (jwk)': (sub) =>
    forgeHeader(
      sub,
      { jwk: { kty: 'oct', k: Buffer.from(OTHER_SECRET).toString('base64url') } },
      { secret: OTHER_SECRET },
    ),
  'names an empty file as its key (kid)': (sub) =>
    forgeHeader(sub, { kid: '../../../../dev/null' }, { secret: '' }),
  'says where its key is (jku)': (sub) =>
    forgeHeader(sub, { jku: 'http://127.0.0.1:1/keys' }, { secret: OTHER_SECRET }),

  // Not whole, or more than that.
  'is empty': () => '',
  'is garbage': () => 'garbage',
  'is three dots': () => '...',
  'has no third part': (sub) => segments(rightToken(sub)).slice(0, 2).join('.'),
  'has an empty signature': (sub) => rightToken(sub).replace(/[^.]+$/, ''),
  'has only its claims': (sub) => segments(rightToken(sub))[1],
  'lacks its last character': (sub) => rightToken(sub).slice(0, -1),
  'has a fourth part': (sub) => `${rightToken(sub)}.x`,
  'has an empty fourth part': (sub) => `${rightToken(sub)}.`,
  'has an empty part in front': (sub) => `.${rightToken(sub)}`,
  'is encrypted (JWE)': (sub) => {
    const key = encode('key');
    return `${encode({ alg: 'dir', enc: 'A256GCM' })}..${key}.${encode(rightClaims(sub))}.${key}`;
  },
  'is padded at its end': (sub) => `${rightToken(sub)}=`,
  'is padded within': (sub) => segments(rightToken(sub)).join('=.'),
  'is in the other base64 alphabet': (sub) =>
    rightToken(sub.replace('-', '?>?>')).replaceAll('-', '+').replaceAll('_', '/'),
  'has a header that is no JSON': (sub) =>
    rightToken(sub).replace(/^[^.]+/, Buffer.from('{"alg":').toString('base64url')),
  'has a header that is null': (sub) => forge(rightClaims(sub), { header: null }),
  'has claims that are null': () => forge(null),
  'has claims that are a text': (sub) => forge(sub),
  'has claims that are a list': (sub) => forge([rightClaims(sub)]),
  'has claims that are a number': () => forge(1),
  'has claims that are no JSON': (sub) => {
    const [header, claims] = segments(rightToken(sub));
    const signed = `${header}.${claims.slice(0, -8)}`;
    return `${signed}.${createHmac('sha256', TEST_SECRET).update(signed).digest('base64url')}`;
  },
  "has another's claims under its signature": (sub) => {
    const [header, , signature] = segments(rightToken(NOBODY));
    return [header, segments(rightToken(sub))[1], signature].join('.');
  },
  'is longer than any': () => 'x'.repeat(8000),

  // Not at this time.
  'has expired': (sub) => forgeClaims(sub, { exp: inSeconds(-1) }),
  'expired in 1970': (sub) => forgeClaims(sub, { exp: 0 }),
  'never expires': (sub) => forgeWithout(sub, 'exp'),
  'expires at null': (sub) => forgeClaims(sub, { exp: null }),
  'has an expiry that is no number': (sub) => forgeClaims(sub, { exp: String(inSeconds(60)) }),
  'is not valid yet': (sub) => forgeClaims(sub, { nbf: inSeconds(60) }),
  'has a first moment that is no number': (sub) => forgeClaims(sub, { nbf: '0' }),

  // Of no one, or for something else.
  'has no user': (sub) => forgeWithout(sub, 'sub'),
  'has null for a user': (sub) => forgeClaims(sub, { sub: null }),
  'names nobody': () => rightToken(NOBODY),
  'has a user id that is no UUID': () => forge(rightClaims('ana')),
  'has a user id that is SQL': () => forge(rightClaims(`' OR true --`)),
  'has a user id with more around it': (sub) => forge(rightClaims(` ${sub}\n`)),
  'has a user id that is a number': () => forge(rightClaims(1)),
  'has a user id in a list': (sub) => forge(rightClaims([sub])),
  'has a user id in an object': (sub) => forge(rightClaims({ id: sub })),
  'has no type': (sub) => forgeWithout(sub, 'type'),
  'has another type': (sub) => forgeClaims(sub, { type: 'refresh' }),
  'has its type in a list': (sub) => forgeClaims(sub, { type: ['access'] }),
};
