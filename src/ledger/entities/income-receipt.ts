import { ValidationFailedError } from '../../platform/errors/domain-error.js';
import type { FieldErrors } from '../../platform/errors/field-reasons.js';

/** Two consistent fields: `receivedAt` is set exactly when `received` is true. */
interface ReceiptState {
  received: boolean;
  receivedAt: Date | null;
}

/** The requested changes of the two fields. */
export type ReceiptChange = Partial<{ received: boolean; receivedAt: Date }>;

/** The errors of requested fields that contradict each other, by their names in a body. */
export const receiptContradictions = ({ received, receivedAt }: ReceiptChange): FieldErrors =>
  received === false && receivedAt !== undefined ? TIME_WITHOUT_RECEIPT : {};

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
  if (requested.receivedAt !== undefined) throw new ValidationFailedError(TIME_WITHOUT_RECEIPT);
  return { received: false, receivedAt: null };
}

const TIME_WITHOUT_RECEIPT: FieldErrors = {
  received_at: [
    { reason: 'contradiction', message: 'received_at is only for an income that is received' },
  ],
};
