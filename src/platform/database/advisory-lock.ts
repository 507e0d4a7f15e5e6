import { hash } from 'node:crypto';

/** The 64-bit number of an advisory lock, from a text that is unique to what is locked. */
export function advisoryLockId(text: string): string {
  return String(hash('sha256', text, 'buffer').readBigInt64BE());
}
