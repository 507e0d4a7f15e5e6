import { ValidationFailedError } from '../platform/errors/domain-error.js';

/** Two consistent fields: `receivedAt` is set exactly when `received` is true. */
interface ReceiptState {
  received: boolean;
  receivedAt: Date | null;
}

/** The requested changes of the two fields. */
export type ReceiptChange = Partial<{ received: boolean; receivedAt: Date }>;

/** @throws ValidationFailedError when the requested fields contradict each other */
export function assertConsistentReceipt({ received, receivedAt }: ReceiptChange): void {
  if (received === false && receivedAt !== undefined) throw timeWithoutReceipt();
}

/**
 * Applies requested changes of `received` and `received_at` to the current state.
 *
 * @throws ValidationFailedError when `receivedAt` is given for an income that is not received
 */
export function applyReceipt(
  current: ReceiptState,
  requested: ReceiptChange,
  now: Date,
): ReceiptState {
  if (requested.received ?? current.received) {
    return { received: true, receivedAt: requested.receivedAt ?? current.receivedAt ?? now };
  }
  if (requested.receivedAt !== undefined) throw timeWithoutReceipt();
  return { received: false, receivedAt: null };
}

const timeWithoutReceipt = (): ValidationFailedError =>
  new ValidationFailedError({
    received_at: [
      {
        reason: 'contradiction',
        message: 'received_at is only for an income that is received',
      },
    ],
  });
