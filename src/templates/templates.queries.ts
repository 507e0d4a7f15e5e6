import { Big } from 'big.js';
import sql, { raw, type Sql } from 'sql-template-tag';
import { USED_BUDGET_SQL, type UsedBudget } from '../budgets/budget.entity.js';
import type {
  PaymentMethodType,
  UsedPaymentMethod,
} from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { MAX_TEMPLATES } from './base-template.entity.js';
import type { ExpenseTemplate } from './expense-template.entity.js';
import type { OccurrenceColumns } from './template-occurrences.js';

type Generated = OccurrenceColumns &
  Pick<ExpenseTemplate, 'id' | 'description' | 'currency'> & {
    budget: UsedBudget | null;
  };

/** The columns of an active template that the generation of a cycle needs. */
export type ActiveExpenseTemplate = Generated & { kind: 'expense' } & Pick<
    ExpenseTemplate,
    'category' | 'autopayInfo'
  > & { paymentMethod: UsedPaymentMethod };
export type ActiveIncomeTemplate = Generated & {
  kind: 'income';
  paymentMethod: UsedPaymentMethod | null;
};
export type ActiveTemplate = ActiveExpenseTemplate | ActiveIncomeTemplate;

const COLUMNS = sql`t.seq, t.id, t.description, t.currency,
  base_amount AS "baseAmount", amount_changes AS "amountChanges", last_amount AS "lastAmount",
  recurrence_type AS "recurrenceType",
  recurrence_config AS "recurrenceConfig", reference_date AS "referenceDate",
  starts_on AS "startsOn", ends_on AS "endsOn", skipped_dates AS "skippedDates",
  weekend_rule AS "weekendRule",
  payment_method_id AS "paymentMethodId", pm.name AS "methodName", pm.method_type AS "methodType",
  pm.active AS "isMethodActive", ${USED_BUDGET_SQL} AS budget`;

const activeSql = ({ userId, householdId }: Scope): Sql => sql`
  SELECT 'expense' AS kind, ${COLUMNS}, category, autopay_info AS "autopayInfo"
  FROM expense_templates t
  JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = t.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = t.budget_id
  WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND t.active
  UNION ALL
  SELECT 'income', ${COLUMNS}, NULL, NULL
  FROM income_templates t
  LEFT JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = t.payment_method_id
  LEFT JOIN budgets b ON b.household_id = ${householdId} AND b.id = t.budget_id
  WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND t.active`;

/** Both kinds of an account within its limits, so that only an older account has a second page. */
const PAGE_ROWS = 2 * MAX_TEMPLATES + 1;
/** The number is not a value, because the server plans for it. */
const LIMIT = raw(`LIMIT ${PAGE_ROWS}`);

type ActiveTemplateRow = Omit<ActiveTemplate, 'paymentMethod'> & {
  seq: string;
  paymentMethodId: string | null;
  methodName: string | null;
  methodType: PaymentMethodType | null;
  isMethodActive: boolean | null;
};

/**
 * The active templates of both kinds, oldest first within each kind, in pages: other requests run
 * between them, and the reader may stop.
 */
export async function* readActiveTemplates(scope: Scope): AsyncGenerator<ActiveTemplate[]> {
  let last: Pick<ActiveTemplateRow, 'kind' | 'seq'> | undefined;
  do {
    const { kind, seq }: { kind: string; seq: string } = last ?? { kind: '', seq: '0' };
    const rows = await query<ActiveTemplateRow>(
      scope.manager,
      sql`
        SELECT * FROM (${activeSql(scope)}) AS template WHERE (kind, seq) > (${kind}, ${seq}::bigint)
        ORDER BY kind, seq ${LIMIT}`,
    );
    yield rows.map(toActiveTemplate);
    last = rows[PAGE_ROWS - 1];
  } while (last);
}

function toActiveTemplate(row: ActiveTemplateRow): ActiveTemplate {
  const {
    paymentMethodId: id,
    methodName: name,
    methodType,
    isMethodActive: active,
    ...columns
  } = row;
  return {
    ...columns,
    baseAmount: new Big(row.baseAmount),
    lastAmount: row.lastAmount && new Big(row.lastAmount),
    paymentMethod: id && { id, name, methodType, active },
  } as ActiveTemplate;
}
