import sql from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { ListPaymentMethodsQuery, PaymentMethodResponse } from './dto/payment-method.dto.js';

/** The owner's payment methods, newest first. The columns are the response. */
export function listPaymentMethods(
  { manager, userId, householdId }: Scope,
  { active, currency }: ListPaymentMethodsQuery,
): Promise<PaymentMethodResponse[]> {
  return query(
    manager,
    sql`
      SELECT id, name, method_type, default_currency, description, closing_day, due_day,
        due_days_after, due_weekend_rule, first_closing_date, autopay, paid_from_id, active,
        created_at, updated_at
      FROM payment_methods
      WHERE household_id = ${householdId} AND user_id = ${userId}
        AND (${active}::boolean IS NULL OR active = ${active})
        AND (${currency}::currency_code IS NULL OR default_currency = ${currency})
      ORDER BY seq DESC`,
  );
}
