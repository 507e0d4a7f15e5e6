import type { Scope } from '../platform/database/database.js';
import type { CurrencyCode } from '../platform/values/enums.js';
import type { Instant } from '../platform/values/instant.js';
import type { PaymentMethodType } from './payment-method.entity.js';

/** The columns of the response. */
export interface PaymentMethodRow {
  id: string;
  name: string;
  method_type: PaymentMethodType;
  default_currency: CurrencyCode;
  description: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}

interface PaymentMethodFilter {
  active?: boolean;
  currency?: CurrencyCode;
}

/** $1: owner, $2: household, $3 and $4: filters, null for all. */
const LIST = `
  SELECT id, name, method_type, default_currency, description, active, created_at, updated_at
  FROM payment_methods
  WHERE household_id = $2 AND user_id = $1 AND ($3::boolean IS NULL OR active = $3)
    AND ($4::currency_code IS NULL OR default_currency = $4)
  ORDER BY seq DESC`;

/** The owner's payment methods, newest first. */
export function listPaymentMethods(
  { manager, userId, householdId }: Scope,
  { active, currency }: PaymentMethodFilter,
): Promise<PaymentMethodRow[]> {
  return manager.query(LIST, [userId, householdId, active ?? null, currency ?? null]);
}
