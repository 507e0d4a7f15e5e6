import { isVisibleSql } from '../comments/comment-visibility.js';
import { usedRateSql } from '../ledger/entities/snapshots.js';
import type { Scope } from '../platform/database/database.js';
import { readPages } from '../platform/database/row-pages.js';
import type { Section } from '../records/record-types.js';

const TEMPLATE_COLUMNS = `t.id, t.payment_method_id, t.description, t.currency, t.base_amount, t.recurrence_type,
  t.recurrence_config, t.reference_date, t.starts_on, t.ends_on, t.weekend_rule`;

const entryColumns = (entry: string): string => `
  ${entry}.id, ${entry}.cycle_id, ${entry}.template_id, ${entry}.occurrence_date,
  ${entry}.payment_method_id, ${entry}.description, ${entry}.currency, ${entry}.amount, ${entry}.amount_usd,
  ${usedRateSql(entry)} AS exchange_rate`;

const timestamps = (table: string): string => `${table}.created_at, ${table}.updated_at`;

/** The rows of each section in the order of creation. $1: owner, $2: household. */
const ROWS_SQL: Record<Section, string> = {
  payment_methods: `
    SELECT t.id, t.name, t.method_type, t.default_currency, t.description, t.active, ${timestamps('t')}
    FROM payment_methods t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  budgets: `
    SELECT t.id, t.name, t.cycle_limit AS "limit", t.active, ${timestamps('t')}
    FROM budgets t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  expense_templates: `
    SELECT ${TEMPLATE_COLUMNS}, t.category, t.autopay_info, t.budget_id, t.active, ${timestamps('t')}
    FROM expense_templates t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  income_templates: `
    SELECT ${TEMPLATE_COLUMNS}, t.active, ${timestamps('t')}
    FROM income_templates t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  cycles: `
    SELECT t.id, t.name, t.start_date, t.end_date, t.income_amount, t.status, t.budget_limits,
      ${timestamps('t')}
    FROM cycles t WHERE t.household_id = $2 AND t.user_id = $1 AND t.active ORDER BY t.seq`,
  expenses: `
    SELECT ${entryColumns('e')}, e.due_date, e.category, e.status, e.paid_at, e.comments,
      e.autopay_info, e.budget_id, e.generated, ${timestamps('e')}
    FROM cycles c JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY e.seq`,
  incomes: `
    SELECT ${entryColumns('i')}, i.income_date, i.received_at, i.comments, i.generated, ${timestamps('i')}
    FROM cycles c JOIN cycle_incomes i ON i.household_id = $2 AND i.cycle_id = c.id AND i.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY i.seq`,
  comments: `
    SELECT m.id, m.entity_type, m.entity_id, m.body, m.edited_at, ${timestamps('m')}
    FROM comments m
    WHERE m.household_id = $2 AND m.author_user_id = $1 AND ${isVisibleSql('m', '$2')}
      AND CASE m.entity_type
        WHEN 'payment_method' THEN EXISTS (
          SELECT FROM payment_methods t
          WHERE t.household_id = $2 AND t.id = m.entity_id AND t.user_id = $1)
        WHEN 'recurrent_expense' THEN EXISTS (
          SELECT FROM expense_templates t
          WHERE t.household_id = $2 AND t.id = m.entity_id AND t.user_id = $1)
        WHEN 'recurrent_income' THEN EXISTS (
          SELECT FROM income_templates t
          WHERE t.household_id = $2 AND t.id = m.entity_id AND t.user_id = $1)
        ELSE EXISTS (
          SELECT FROM cycles c
          WHERE c.household_id = $2 AND c.id = m.cycle_id AND c.user_id = $1 AND c.active)
      END
    ORDER BY m.seq`,
};

/** The sections whose rows do not require rows of other sections. */
const INDEPENDENT: readonly Section[] = [
  'payment_methods',
  'budgets',
  'income_templates',
  'cycles',
];

/** The owner's rows of a section in pages, in the order of creation. */
export function pagesOf(
  { manager, userId, householdId }: Scope,
  section: Section,
): AsyncGenerator<object[]> {
  return readPages(manager, ROWS_SQL[section], [userId, householdId]);
}

/** Whether an export would have any row. */
export async function hasData({ manager, userId, householdId }: Scope): Promise<boolean> {
  const conditions = INDEPENDENT.map((section) => `EXISTS (${ROWS_SQL[section]})`);
  const [row] = await manager.query<{ found: boolean }[]>(
    `SELECT ${conditions.join(' OR ')} AS found`,
    [userId, householdId],
  );
  return row?.found ?? false;
}
