/** Tokens that the service must refuse, and a valid one. */
import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { UNKNOWN_UUID } from './sample-entities.js';
import { TEST_SECRET } from './service.js';

const OTHER_SECRET = 'the secret of another deployment';

/** The time this number of seconds from now, as a JWT NumericDate. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The claims that the service puts into a token of a user. */
const validClaims = (sub: unknown): Record<string, unknown> => ({
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

/** A token as the service issues it, except for the given differences. */
function forge(
  claims: unknown,
  { header = { alg: 'HS256', typ: 'JWT' }, secret = TEST_SECRET, hash = 'sha256' }: Forgery = {},
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

const forgeHeader = (sub: string, header: object, forgery: Forgery = {}): string =>
  forge(validClaims(sub), { header: { alg: 'HS256', typ: 'JWT', ...header }, ...forgery });

export const forgeClaims = (sub: string, claims: object): string =>
  forge({ ...validClaims(sub), ...claims });

/** JSON omits claims that are undefined. */
const forgeWithout = (sub: string, claim: string): string =>
  forge({ ...validClaims(sub), [claim]: undefined });

const keyPair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function forgeAsymmetric(sub: string): string {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(validClaims(sub))}`;
  return `${signed}.${signWith('sha256', Buffer.from(signed), keyPair.privateKey).toString('base64url')}`;
}

function forgeNone(sub: string, alg: string): string {
  return `${encode({ alg, typ: 'JWT' })}.${encode(validClaims(sub))}.`;
}

const segments = (token: string): [string, string, string] =>
  token.split('.') as [string, string, string];

/** A token as the service issues it. */
export const validToken = (sub: string): string => forge(validClaims(sub));

/** Each function creates a token for a user's id that the service must refuse. */
export const FORGERIES: Record<string, (sub: string) => string> = {
  // Other algorithms
  'has no signature (alg none)': (sub) => forgeNone(sub, 'none'),
  'has no signature (alg None)': (sub) => forgeNone(sub, 'None'),
  'has alg none and a valid signature': (sub) => forgeHeader(sub, { alg: 'none' }),
  'has no alg': (sub) => forgeHeader(sub, { alg: undefined }),
  'is signed with HS384': (sub) => forgeHeader(sub, { alg: 'HS384' }, { hash: 'sha384' }),
  'is signed with HS512': (sub) => forgeHeader(sub, { alg: 'HS512' }, { hash: 'sha512' }),
  'has alg HS256 and is signed with HS512': (sub) => forgeHeader(sub, {}, { hash: 'sha512' }),
  'has alg hs256 in lower case': (sub) => forgeHeader(sub, { alg: 'hs256' }),
  'is signed with RS256': forgeAsymmetric,
  'has alg RS256 and is signed with the secret': (sub) => forgeHeader(sub, { alg: 'RS256' }),
  'is signed with a public key as the secret': (sub) =>
    forgeHeader(sub, {}, { secret: keyPair.publicKey }),

  // Other keys
  'is signed with the secret of another deployment': (sub) =>
    forge(validClaims(sub), { secret: OTHER_SECRET }),
  'is signed with an empty key': (sub) => forge(validClaims(sub), { secret: '' }),
  'contains its key (jwk)': (sub) =>
    forgeHeader(
      sub,
      { jwk: { kty: 'oct', k: Buffer.from(OTHER_SECRET).toString('base64url') } },
      { secret: OTHER_SECRET },
    ),
  'names an empty file as its key (kid)': (sub) =>
    forgeHeader(sub, { kid: '../../../../dev/null' }, { secret: '' }),
  'has the URL of its key (jku)': (sub) =>
    forgeHeader(sub, { jku: 'http://127.0.0.1:1/keys' }, { secret: OTHER_SECRET }),

  // Malformed tokens
  'is empty': () => '',
  'is garbage': () => 'garbage',
  'is three dots': () => '...',
  'has no third part': (sub) => segments(validToken(sub)).slice(0, 2).join('.'),
  'has an empty signature': (sub) => validToken(sub).replace(/[^.]+$/, ''),
  'has only its claims': (sub) => segments(validToken(sub))[1],
  'lacks its last character': (sub) => validToken(sub).slice(0, -1),
  'has a fourth part': (sub) => `${validToken(sub)}.x`,
  'has an empty fourth part': (sub) => `${validToken(sub)}.`,
  'has an empty part in front': (sub) => `.${validToken(sub)}`,
  'is encrypted (JWE)': (sub) => {
    const key = encode('key');
    return `${encode({ alg: 'dir', enc: 'A256GCM' })}..${key}.${encode(validClaims(sub))}.${key}`;
  },
  'has padding at the end': (sub) => `${validToken(sub)}=`,
  'has padding in each part': (sub) => segments(validToken(sub)).join('=.'),
  'is in the other base64 alphabet': (sub) =>
    validToken(sub.replace('-', '?>?>')).replaceAll('-', '+').replaceAll('_', '/'),
  'has a header that is not JSON': (sub) =>
    validToken(sub).replace(/^[^.]+/, Buffer.from('{"alg":').toString('base64url')),
  'has a header that is null': (sub) => forge(validClaims(sub), { header: null }),
  'has claims that are null': () => forge(null),
  'has claims that are a string': (sub) => forge(sub),
  'has claims that are an array': (sub) => forge([validClaims(sub)]),
  'has claims that are a number': () => forge(1),
  'has claims that are not JSON': (sub) => {
    const [header, claims] = segments(validToken(sub));
    const signed = `${header}.${claims.slice(0, -8)}`;
    return `${signed}.${createHmac('sha256', TEST_SECRET).update(signed).digest('base64url')}`;
  },
  "has another token's claims with its signature": (sub) => {
    const [header, , signature] = segments(validToken(UNKNOWN_UUID));
    return [header, segments(validToken(sub))[1], signature].join('.');
  },
  'has 8000 characters': () => 'x'.repeat(8000),

  // Times
  'has expired': (sub) => forgeClaims(sub, { exp: inSeconds(-1) }),
  'expired in 1970': (sub) => forgeClaims(sub, { exp: 0 }),
  'never expires': (sub) => forgeWithout(sub, 'exp'),
  'has null as its expiry': (sub) => forgeClaims(sub, { exp: null }),
  'has an expiry that is not a number': (sub) => forgeClaims(sub, { exp: String(inSeconds(60)) }),
  'is not valid yet': (sub) => forgeClaims(sub, { nbf: inSeconds(60) }),
  'has a start (nbf) that is not a number': (sub) => forgeClaims(sub, { nbf: '0' }),

  // Other users and types
  'has no user': (sub) => forgeWithout(sub, 'sub'),
  'has null as its user': (sub) => forgeClaims(sub, { sub: null }),
  'names an unknown user': () => validToken(UNKNOWN_UUID),
  'has a user id that is not a UUID': () => forge(validClaims('ana')),
  'has a user id that is SQL': () => forge(validClaims(`' OR true --`)),
  'has a user id with white space around it': (sub) => forge(validClaims(` ${sub}\n`)),
  'has a user id that is a number': () => forge(validClaims(1)),
  'has a user id in an array': (sub) => forge(validClaims([sub])),
  'has a user id in an object': (sub) => forge(validClaims({ id: sub })),
  'has no type': (sub) => forgeWithout(sub, 'type'),
  'has another type': (sub) => forgeClaims(sub, { type: 'refresh' }),
  'has its type in an array': (sub) => forgeClaims(sub, { type: ['access'] }),
};
