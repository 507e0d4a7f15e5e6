import type { Scope } from '../platform/database/database.js';
import type { ListPaymentMethodsQuery, PaymentMethodResponse } from './dto/payment-method.dto.js';

/** $1: owner, $2: household, $3 and $4: filters, null for all. */
const LIST = `
  SELECT id, name, method_type, default_currency, description, active, created_at, updated_at
  FROM payment_methods
  WHERE household_id = $2 AND user_id = $1 AND ($3::boolean IS NULL OR active = $3)
    AND ($4::currency_code IS NULL OR default_currency = $4)
  ORDER BY seq DESC`;

/** The owner's payment methods, newest first. The columns are the response. */
export function listPaymentMethods(
  { manager, userId, householdId }: Scope,
  { active, currency }: ListPaymentMethodsQuery,
): Promise<PaymentMethodResponse[]> {
  return manager.query(LIST, [userId, householdId, active ?? null, currency ?? null]);
}
