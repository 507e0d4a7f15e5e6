import type { Request } from 'express';
import type { Settings } from '../config/settings.js';

type PublicUrl = Pick<Settings, 'publicUrl'>;

/**
 * Where the client reaches the service, without a slash at the end: `https://example.com/gastos`.
 */
export const publicUrlFor = (
  { protocol, host, headers }: Pick<Request, 'protocol' | 'host' | 'headers'>,
  { publicUrl }: PublicUrl,
): string =>
  publicUrl ??
  `${isScheme(protocol) ? protocol : 'http'}://${isHost(host) ? host : (headers.host ?? '')}`;

/** A proxy may pass on what a client has sent as X-Forwarded-Proto. */
const isScheme = (text: string): boolean => ['http', 'https'].includes(text);

/** A name or an address, with or without a port. */
const isHost = (text: string): boolean =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`);

/** What a proxy removes from the paths of requests: `/gastos`; empty without a prefix. */
export function publicPrefix({ publicUrl }: PublicUrl): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
