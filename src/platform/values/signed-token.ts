import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const TIME_BYTES = 4;
const MAC_BYTES = 12;

const NEVER = 0;

/** What a token says, before its signature is verified. */
interface TokenClaims {
  /** A UUID. */
  id: string;
  /** Undefined: never. */
  expiresAt?: Date;
}

/**
 * Makes and verifies tokens that name a UUID and are stored nowhere: the UUID, the seconds since
 * 1970 at which the token expires, and the first 12 bytes of an HMAC-SHA256, in base64url.
 */
export class SignedTokens {
  private readonly key: Buffer;

  /** @param purpose the tokens of another one are not valid */
  constructor(secret: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  }

  /** @param context what else must be the same when the token is used, such as an e-mail */
  sign({ id, expiresAt }: TokenClaims, context = ''): string {
    const claims = Buffer.alloc(ID_BYTES + TIME_BYTES);
    claims.write(id.replaceAll('-', ''), 'hex');
    claims.writeUInt32BE(expiresAt ? Math.floor(expiresAt.getTime() / 1000) : NEVER, ID_BYTES);
    return Buffer.concat([claims, this.mac(claims, context)]).toString('base64url');
  }

  /** The UUID of a token, which may be forged; undefined for a text that is none. */
  idIn(token: string): string | undefined {
    return bytesOf(token)
      ?.toString('hex', 0, ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** Whether a token was made with the context and has not expired. */
  isValid(token: string, context = ''): boolean {
    const bytes = bytesOf(token);
    if (!bytes) return false;
    const claims = bytes.subarray(0, -MAC_BYTES);
    const seconds = claims.readUInt32BE(ID_BYTES);
    if (seconds !== NEVER && seconds * 1000 <= Date.now()) return false;
    return timingSafeEqual(bytes.subarray(-MAC_BYTES), this.mac(claims, context));
  }

  private mac(claims: Buffer, context: string): Buffer {
    const hmac = createHmac('sha256', this.key).update(claims).update(context);
    return hmac.digest().subarray(0, MAC_BYTES);
  }
}

/** The bytes of a text in the form in which tokens are made. */
function bytesOf(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const isToken = bytes.length === ID_BYTES + TIME_BYTES + MAC_BYTES;
  return isToken && bytes.toString('base64url') === token ? bytes : undefined;
}
