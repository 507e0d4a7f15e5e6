import type { Scope } from '../platform/database/database.js';
import type { PaymentMethod } from './payment-method.entity.js';

/** What a change of a payment method does to its statements; the cards, which know them, do it. */
export abstract class StatementsOfCards {
  /**
   * Stores the statements that have closed, unless all are empty, where a change of the days would move
   * their dates.
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
