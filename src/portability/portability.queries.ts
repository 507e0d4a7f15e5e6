import sql, { join, raw, type Sql } from 'sql-template-tag';
import { Balance } from '../balances/balance.entity.js';
import { Budget } from '../budgets/budget.entity.js';
import { CardStatement } from '../cards/card-statement.entity.js';
import { isVisibleSql } from '../comments/comment-visibility.js';
import { Comment } from '../comments/comment.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import { readPages } from '../platform/database/row-pages.js';
import { columnsSql, type RecordFields } from '../records/record-fields.js';
import type { Section } from '../records/record-types.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';

/** The fields of entries that an import derives from others; deleted entries are not exported. */
const DERIVED = ['active', 'paid', 'received'];

/** SQL: the rows of each section in the order of creation. */
function rowsSql({ userId, householdId }: Scope): Record<Section, Sql> {
  /** Active records and others. */
  const owned = (fields: RecordFields, table: string): Sql => sql`
    SELECT ${columnsSql(fields, 't')} FROM ${raw(table)} t
    WHERE t.household_id = ${householdId} AND t.user_id = ${userId} ORDER BY t.seq`;
  const entries = (fields: RecordFields, table: string): Sql => sql`
    SELECT e.cycle_id, ${columnsSql(fields, 'e', DERIVED)}, e.generated
    FROM cycles c JOIN ${raw(table)} e
      ON e.household_id = ${householdId} AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active ORDER BY e.seq`;
  return {
    payment_methods: owned(PaymentMethod.fields, 'payment_methods'),
    budgets: owned(Budget.fields, 'budgets'),
    expense_templates: owned(ExpenseTemplate.fields, 'expense_templates'),
    income_templates: owned(IncomeTemplate.fields, 'income_templates'),
    cycles: sql`
      SELECT ${columnsSql(Cycle.fields, 't', ['active'])} FROM cycles t
      WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND t.active ORDER BY t.seq`,
    expenses: entries(CycleExpense.fields, 'cycle_expenses'),
    incomes: entries(CycleIncome.fields, 'cycle_incomes'),
    balances: sql`
      SELECT ${columnsSql(Balance.fields, 't', ['active'])} FROM balances t
      WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND t.active ORDER BY t.seq`,
    card_statements: sql`
      SELECT ${columnsSql(CardStatement.fields, 't', ['active'])}
      FROM card_statements t
      JOIN payment_methods pm ON pm.household_id = ${householdId} AND pm.id = t.payment_method_id
      WHERE t.household_id = ${householdId} AND t.user_id = ${userId} AND t.active
      ORDER BY pm.seq, t.closing_date`,
    comments: sql`
      SELECT ${columnsSql(Comment.fields, 'm')}
      FROM comments m
      WHERE m.household_id = ${householdId} AND m.author_user_id = ${userId}
        AND ${isVisibleSql('m', householdId)}
        AND CASE m.entity_type
          WHEN 'payment_method' THEN EXISTS (
            SELECT FROM payment_methods t
            WHERE t.household_id = ${householdId} AND t.id = m.entity_id AND t.user_id = ${userId})
          WHEN 'recurrent_expense' THEN EXISTS (
            SELECT FROM expense_templates t
            WHERE t.household_id = ${householdId} AND t.id = m.entity_id AND t.user_id = ${userId})
          WHEN 'recurrent_income' THEN EXISTS (
            SELECT FROM income_templates t
            WHERE t.household_id = ${householdId} AND t.id = m.entity_id AND t.user_id = ${userId})
          ELSE EXISTS (
            SELECT FROM cycles c
            WHERE c.household_id = ${householdId} AND c.id = m.cycle_id AND c.user_id = ${userId}
              AND c.active)
        END
      ORDER BY m.seq`,
  };
}

/** The sections whose rows do not require rows of other sections. */
const INDEPENDENT: readonly Section[] = [
  'payment_methods',
  'budgets',
  'income_templates',
  'cycles',
];

/** The owner's rows of a section in pages, in the order of creation. */
export function pagesOf(scope: Scope, section: Section): AsyncGenerator<object[]> {
  return readPages(scope.manager, rowsSql(scope)[section]);
}

/** Whether an export would have any row. */
export async function hasData(scope: Scope): Promise<boolean> {
  const rows = rowsSql(scope);
  const conditions = INDEPENDENT.map((section) => sql`EXISTS (${rows[section]})`);
  const [row] = await query<{ found: boolean }>(
    scope.manager,
    sql`SELECT ${join(conditions, ' OR ')} AS found`,
  );
  return row?.found ?? false;
}
