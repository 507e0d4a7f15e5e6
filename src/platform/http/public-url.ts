import type { Request } from 'express';
import type { Settings } from '../config/settings.js';

type PublicUrl = Pick<Settings, 'publicUrl'>;

/**
 * Where the client reaches the service, without a slash at the end: `https://example.com/gastos`.
 */
export const publicUrlFor = (
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  { publicUrl }: PublicUrl,
): string => publicUrl ?? `${protocol}://${host}`;

/** What a proxy removes from the paths of requests: `/gastos`; empty without a prefix. */
export function publicPrefix({ publicUrl }: PublicUrl): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
