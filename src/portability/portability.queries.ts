import { raw } from 'sql-template-tag';
import { Budget } from '../budgets/budget.entity.js';
import { isVisibleSql } from '../comments/comment-visibility.js';
import { Comment } from '../comments/comment.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { readPages } from '../platform/database/row-pages.js';
import { columnsSql, type RecordFields } from '../records/record-fields.js';
import type { Section } from '../records/record-types.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';

/** The fields of entries that an import derives from others; deleted entries are not exported. */
const DERIVED = ['active', 'paid', 'received'];

/** The rows of each section in the order of creation. $1: owner, $2: household. */
const ROWS_SQL: Record<Section, string> = {
  payment_methods: owned(PaymentMethod.fields, 'payment_methods'),
  budgets: owned(Budget.fields, 'budgets'),
  expense_templates: owned(ExpenseTemplate.fields, 'expense_templates'),
  income_templates: owned(IncomeTemplate.fields, 'income_templates'),
  cycles: `
    SELECT ${columnsSql(Cycle.fields, 't', ['active'])}
    FROM cycles t WHERE t.household_id = $2 AND t.user_id = $1 AND t.active ORDER BY t.seq`,
  expenses: entries(CycleExpense.fields, 'cycle_expenses'),
  incomes: entries(CycleIncome.fields, 'cycle_incomes'),
  comments: `
    SELECT ${columnsSql(Comment.fields, 'm')}
    FROM comments m
    WHERE m.household_id = $2 AND m.author_user_id = $1 AND ${isVisibleSql('m', raw('$2')).text}
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

/** Active records and others. */
function owned(fields: RecordFields, table: string): string {
  return `
    SELECT ${columnsSql(fields, 't')}
    FROM ${table} t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`;
}

function entries(fields: RecordFields, table: string): string {
  return `
    SELECT e.cycle_id, ${columnsSql(fields, 'e', DERIVED)}, e.generated
    FROM cycles c JOIN ${table} e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY e.seq`;
}

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
  return readPages(manager, { text: ROWS_SQL[section], values: [userId, householdId] });
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
