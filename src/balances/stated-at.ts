import { ValidationFailedError } from '../platform/errors/domain-error.js';

/** How far the clock of a client may be ahead. */
const MAX_MS_AHEAD = 5 * 60 * 1000;

/** Whether an instant is later than the clock of a client explains. */
export const isTooLate = (statedAt: Date, now: Date): boolean =>
  statedAt.getTime() - now.getTime() > MAX_MS_AHEAD;

export const TOO_LATE = {
  reason: 'out_of_order',
  message: 'stated_at must be at most 5 minutes later than now',
} as const;

/** @throws ValidationFailedError */
export function assertNotTooLate(statedAt: Date | null | undefined): void {
  if (!statedAt || !isTooLate(statedAt, new Date())) return;
  throw new ValidationFailedError({ stated_at: [TOO_LATE] });
}

/** The instant, or now where it is later. */
export const notAfter = (now: Date, statedAt: Date): Date => (statedAt < now ? statedAt : now);
