import type { Scope } from '../platform/database/database.js';
import type { PaymentMethod } from './payment-method.entity.js';

/** What a change of a payment method does to its statements; the cards, which know them, do it. */
export abstract class StatementsOfCards {
  /**
   * Stores the statements whose dates a change of the days would move: those that have closed and
   * are not paid.
   *
   * @param change of a payment method that is locked
   * @throws ValidationFailedError for another currency while statements are stored, which are in
   *   the one of before
   */
  abstract prepareChange(
    scope: Scope,
    change: { before: PaymentMethod; after: PaymentMethod },
  ): Promise<void>;
}
