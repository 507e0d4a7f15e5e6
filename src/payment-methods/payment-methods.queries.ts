import type { EntityManager } from 'typeorm';
import type { CurrencyCode } from '../platform/values/enums.js';
import type { Instant } from '../platform/values/instant.js';
import type { UserId } from '../platform/values/user-id.js';
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

export interface PaymentMethodFilter {
  active?: boolean;
  currency?: CurrencyCode;
}

/** $1: owner, $2 and $3: filters, null for all. */
const LIST = `
  SELECT id, name, method_type, default_currency, description, active, created_at, updated_at
  FROM payment_methods
  WHERE user_id = $1 AND ($2::boolean IS NULL OR active = $2)
    AND ($3::currency_code IS NULL OR default_currency = $3)
  ORDER BY seq DESC`;

/** The owner's payment methods, newest first. */
export function listPaymentMethods(
  owner: UserId,
  manager: EntityManager,
  { active, currency }: PaymentMethodFilter,
): Promise<PaymentMethodRow[]> {
  return manager.query(LIST, [owner, active ?? null, currency ?? null]);
}
