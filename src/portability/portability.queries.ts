import type { EntityManager } from 'typeorm';
import type { CommentableType } from '../comments/comment.entity.js';
import { usedRateSql } from '../ledger/snapshots.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { Section } from './sections.js';

const PAGE_ROWS = 500;

const TEMPLATE_COLUMNS = `t.id, t.payment_method_id, t.description, t.currency, t.base_amount, t.recurrence_type,
  t.recurrence_config, t.reference_date, t.starts_on, t.ends_on, t.weekend_rule`;

const ENTRY_COLUMNS = `e.id, e.cycle_id, e.template_id, e.occurrence_date, e.payment_method_id, e.description,
  e.currency, e.amount, e.amount_usd, ${usedRateSql('e')} AS exchange_rate`;

const timestamps = (table: string): string => `${table}.created_at, ${table}.updated_at`;

/** The rows of each section in the order of creation. $1: owner, $2: household. */
const ROWS_SQL: Record<Section, string> = {
  payment_methods: `
    SELECT t.id, t.name, t.method_type, t.default_currency, t.description, t.active, ${timestamps('t')}
    FROM payment_methods t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  expense_templates: `
    SELECT ${TEMPLATE_COLUMNS}, t.category, t.autopay_info, t.active, ${timestamps('t')}
    FROM expense_templates t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  income_templates: `
    SELECT ${TEMPLATE_COLUMNS}, t.active, ${timestamps('t')}
    FROM income_templates t WHERE t.household_id = $2 AND t.user_id = $1 ORDER BY t.seq`,
  cycles: `
    SELECT t.id, t.name, t.start_date, t.end_date, t.income_amount, t.status, ${timestamps('t')}
    FROM cycles t WHERE t.household_id = $2 AND t.user_id = $1 AND t.active ORDER BY t.seq`,
  expenses: `
    SELECT ${ENTRY_COLUMNS}, e.due_date, e.category, e.status, e.paid_at, e.comments, e.autopay_info,
      e.generated, ${timestamps('e')}
    FROM cycles c JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY e.seq`,
  incomes: `
    SELECT ${ENTRY_COLUMNS}, e.income_date, e.received_at, e.comments, e.generated, ${timestamps('e')}
    FROM cycles c JOIN cycle_incomes e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY e.seq`,
  comments: `
    SELECT m.id, m.entity_type, m.entity_id, m.body, m.edited_at, ${timestamps('m')}
    FROM comments m
    WHERE m.household_id = $2 AND m.author_user_id = $1 AND m.active AND CASE m.entity_type
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
        AND CASE m.entity_type
          WHEN 'cycle' THEN true
          WHEN 'cycle_expense' THEN EXISTS (
            SELECT FROM cycle_expenses e
            WHERE e.household_id = $2 AND e.id = m.entity_id AND e.active)
          ELSE EXISTS (
            SELECT FROM cycle_incomes e
            WHERE e.household_id = $2 AND e.id = m.entity_id AND e.active) END
      END
    ORDER BY m.seq`,
};

/** The sections whose rows do not require rows of other sections. */
const INDEPENDENT: readonly Section[] = ['payment_methods', 'income_templates', 'cycles'];

/** The rows of a section in pages, in the order of creation, read with a cursor of the transaction. */
export async function* pagesOf(
  manager: EntityManager,
  user: AuthenticatedUser,
  section: Section,
): AsyncGenerator<object[]> {
  await manager.query(`DECLARE exported NO SCROLL CURSOR FOR ${ROWS_SQL[section]}`, [
    user.id,
    user.householdId,
  ]);
  for (;;) {
    const rows = await manager.query<object[]>(`FETCH ${PAGE_ROWS} FROM exported`);
    if (rows.length === 0) break;
    yield rows;
  }
  await manager.query('CLOSE exported');
}

/** Whether an export would have any row. */
export async function hasData(manager: EntityManager, user: AuthenticatedUser): Promise<boolean> {
  const conditions = INDEPENDENT.map((section) => `EXISTS (${ROWS_SQL[section]})`);
  const [row] = await manager.query<{ found: boolean }[]>(
    `SELECT ${conditions.join(' OR ')} AS found`,
    [user.id, user.householdId],
  );
  return row?.found ?? false;
}

/** Those of the records $2 that the owner $1 of household $3 has, with the cycle that they are or belong to. */
const FOUND_SQL: Record<CommentableType, string> = {
  payment_method: `SELECT t.id, NULL::uuid AS cycle_id FROM payment_methods t
    WHERE t.household_id = $3 AND t.user_id = $1 AND t.id = ANY($2)`,
  recurrent_expense: `SELECT t.id, NULL::uuid AS cycle_id FROM expense_templates t
    WHERE t.household_id = $3 AND t.user_id = $1 AND t.id = ANY($2)`,
  recurrent_income: `SELECT t.id, NULL::uuid AS cycle_id
    FROM income_templates t WHERE t.household_id = $3 AND t.user_id = $1 AND t.id = ANY($2)`,
  cycle: `SELECT t.id, t.id AS cycle_id FROM cycles t
    WHERE t.household_id = $3 AND t.user_id = $1 AND t.id = ANY($2)`,
  cycle_expense: `SELECT t.id, t.cycle_id FROM cycle_expenses t
    JOIN cycles c ON c.household_id = $3 AND c.id = t.cycle_id AND c.user_id = $1
    WHERE t.household_id = $3 AND t.id = ANY($2)`,
  cycle_income: `SELECT t.id, t.cycle_id
    FROM cycle_incomes t
    JOIN cycles c ON c.household_id = $3 AND c.id = t.cycle_id AND c.user_id = $1
    WHERE t.household_id = $3 AND t.id = ANY($2)`,
};

/** Those of the records that the user has, each with the cycle that it is or belongs to. */
export async function findRecords(
  manager: EntityManager,
  user: AuthenticatedUser,
  type: CommentableType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await manager.query<{ id: string; cycle_id: string | null }[]>(FOUND_SQL[type], [
    user.id,
    [...new Set(ids)],
    user.householdId,
  ]);
  return new Map(rows.map(({ id, cycle_id }) => [id, cycle_id]));
}
