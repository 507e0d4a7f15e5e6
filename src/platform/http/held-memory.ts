import type { Response } from 'express';
import { clientMemory, onRequestEnd, type Holding } from '#http-host';
import { DomainError } from '../errors/domain-error.js';
import { clientNetwork } from '../rate-limits/client-network.js';

/** When a client may try again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Begins to hold bytes for the client of a request, at most until that has ended.
 *
 * @param evict ends a body that is not finished
 */
export function holdFor(response: Response, evict?: () => void): Holding {
  const { user, ip = '' } = response.req;
  const id = (user as { id: string } | undefined)?.id;
  const owner = id === undefined ? { network: clientNetwork(ip) } : { user: id };
  const holding = clientMemory.open(owner, evict);
  onRequestEnd(response, () => holding.release());
  return holding;
}

/** The process holds too much for its clients, or for that of the request. */
export const tooMuchMemory = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too much is being sent or read; try again later', {
    retry_after: RETRY_AFTER_SECONDS,
  });
