import type { Snapshot } from '../activity/changes.js';
import { toPaymentMethodResponse } from './dto/payment-method.dto.js';
import type { PaymentMethod } from './payment-method.entity.js';

/** The state that the activity log records: the whole representation. */
export function paymentMethodSnapshot(method: PaymentMethod): Snapshot {
  return { ...toPaymentMethodResponse(method) };
}
