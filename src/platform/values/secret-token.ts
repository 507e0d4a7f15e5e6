import { hash, randomBytes } from 'node:crypto';

/** A random token in base64url. */
export const newToken = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** SHA-256 in hex, stored so that the table does not contain usable tokens. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex');
