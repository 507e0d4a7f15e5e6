import type { Scope } from '../platform/database/database.js';
import { ENTITY_TABLES, type StoredType } from '../activity/entity-tables.js';
import { isVisibleSql } from '../comments/comment-visibility.js';
import { expenseColumnsSql, INCOME_COLUMNS_SQL } from '../ledger/snapshots.js';
import { readPages } from '../platform/database/row-pages.js';
import type { Section } from './dto/document.dto.js';

const TEMPLATE_COLUMNS = `t.id, t.payment_method_id, t.description, t.currency, t.base_amount, t.recurrence_type,
  t.recurrence_config, t.reference_date, t.starts_on, t.ends_on, t.weekend_rule`;

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
    SELECT e.id, e.cycle_id, ${expenseColumnsSql()}, e.generated, ${timestamps('e')}
    FROM cycles c JOIN cycle_expenses e ON e.household_id = $2 AND e.cycle_id = c.id AND e.active
    WHERE c.household_id = $2 AND c.user_id = $1 AND c.active ORDER BY e.seq`,
  incomes: `
    SELECT i.id, i.cycle_id, ${INCOME_COLUMNS_SQL}, i.generated, ${timestamps('i')}
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
const INDEPENDENT: readonly Section[] = ['payment_methods', 'income_templates', 'cycles'];

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

/**
 * The records $3 of a type that the owner $1 of household $2 has, with the cycle that they are or belong to. The owner of
 * an entry is that of its cycle.
 */
function recordsSql(type: StoredType): string {
  const { table, cycleId } = ENTITY_TABLES[type];
  const isOwned =
    cycleId === 'cycle_id'
      ? 'cycle_id IN (SELECT c.id FROM cycles c WHERE c.household_id = $2 AND c.user_id = $1)'
      : 'user_id = $1';
  return `SELECT id, ${cycleId} AS cycle_id FROM ${table}
    WHERE household_id = $2 AND id = ANY($3) AND ${isOwned}`;
}

/** The user's records with these ids, each with the cycle that it is or belongs to; other ids are ignored. */
export async function findRecords(
  { manager, userId, householdId }: Scope,
  type: StoredType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await manager.query<{ id: string; cycle_id: string | null }[]>(recordsSql(type), [
    userId,
    householdId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, cycle_id }) => [id, cycle_id]));
}
