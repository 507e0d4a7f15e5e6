import type { Scope } from '../platform/database/database.js';
import { Big } from 'big.js';
import type { PaymentMethod, PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import type { RecurrenceColumns } from './recurrent-template.entity.js';
import type { Template } from './template.entity.js';

export type ActivePaymentMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;

type Generated = RecurrenceColumns &
  Pick<Template, 'id' | 'description' | 'currency' | 'baseAmount'>;

/** The columns of an active template that the generation of a cycle needs. */
export type ActiveExpenseTemplate = Generated & { kind: 'expense' } & Pick<
    Template,
    'category' | 'autopayInfo'
  > & { paymentMethod: ActivePaymentMethod };
export type ActiveIncomeTemplate = Generated & {
  kind: 'income';
  paymentMethod: ActivePaymentMethod | null;
};
export type ActiveTemplate = ActiveExpenseTemplate | ActiveIncomeTemplate;

const COLUMNS = `t.seq, t.id, t.description, currency,
  base_amount AS "baseAmount", recurrence_type AS "recurrenceType",
  recurrence_config AS "recurrenceConfig", reference_date AS "referenceDate",
  starts_on AS "startsOn", ends_on AS "endsOn", weekend_rule AS "weekendRule",
  payment_method_id AS "paymentMethodId", pm.name AS "methodName", pm.method_type AS "methodType",
  pm.active AS "isMethodActive"`;

/** $1: owner, $2: household. */
const LIST_ACTIVE = `
  SELECT 'expense' AS kind, ${COLUMNS}, category, autopay_info AS "autopayInfo"
  FROM expense_templates t JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = t.payment_method_id
  WHERE t.household_id = $2 AND t.user_id = $1 AND t.active
  UNION ALL
  SELECT 'income', ${COLUMNS}, NULL, NULL
  FROM income_templates t LEFT JOIN payment_methods pm ON pm.household_id = $2 AND pm.id = t.payment_method_id
  WHERE t.household_id = $2 AND t.user_id = $1 AND t.active
  ORDER BY kind, seq`;

type ActiveTemplateRow = Omit<ActiveTemplate, 'paymentMethod'> & {
  paymentMethodId: string | null;
  methodName: string | null;
  methodType: PaymentMethodType | null;
  isMethodActive: boolean | null;
};

/** The active templates of both kinds, oldest first within each kind. */
export async function listActiveTemplates({
  manager,
  userId,
  householdId,
}: Scope): Promise<ActiveTemplate[]> {
  const rows = await manager.query<ActiveTemplateRow[]>(LIST_ACTIVE, [userId, householdId]);
  return rows.map(
    ({ paymentMethodId, methodName: name, methodType, isMethodActive: active, ...row }) =>
      ({
        ...row,
        baseAmount: new Big(row.baseAmount),
        paymentMethod: paymentMethodId && { id: paymentMethodId, name, methodType, active },
      }) as ActiveTemplate,
  );
}
