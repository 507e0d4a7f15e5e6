import { balanceSql } from '../../ledger/balance.js';
import { ALL_SCOPES_SQL } from './scopes.js';

/** An invariant, and a query that returns violations: `entity`, `id` and `problem`. */
export interface Rule {
  name: string;
  /** The invariant in words. */
  says: string;
  sql: string;
}

/** The common columns of both kinds of templates and of both kinds of entries. */
const TEMPLATES = union(
  { recurrent_expense: 'expense_templates', recurrent_income: 'income_templates' },
  'id, user_id, payment_method_id, base_amount',
);
const ENTRIES = union(
  { cycle_expense: 'cycle_expenses', cycle_income: 'cycle_incomes' },
  'id, cycle_id, template_id, payment_method_id, currency, amount, amount_usd, active',
);

function union(tables: Record<string, string>, columns: string): string {
  return Object.entries(tables)
    .map(([entity, table]) => `SELECT '${entity}' AS entity, ${columns} FROM ${table}`)
    .join(' UNION ALL ');
}

/** Invariants checked in SQL. Some are also constraints, which may be missing in a restored database. */
export const RULES: readonly Rule[] = [
  {
    name: 'balance',
    says: "a cycle's remaining balance is its income amount plus its incomes minus its counted expenses",
    sql: `
      SELECT 'cycle' AS entity, c.id,
        format('remaining_balance is %s, income minus expenses is %s',
          c.remaining_balance, b.balance) AS problem
      FROM cycles c JOIN users u ON u.id = c.user_id
      CROSS JOIN LATERAL (SELECT ${balanceSql('c', 'u.household_id')} AS balance) AS b
      WHERE c.active AND c.remaining_balance <> b.balance`,
  },
  {
    name: 'payment-state',
    says: 'status, paid and paid_at of an expense are consistent',
    sql: `
      SELECT 'cycle_expense' AS entity, id,
        format('status is %s, paid %s, paid_at %s',
          status, paid, coalesce(paid_at::text, 'null')) AS problem
      FROM cycle_expenses
      WHERE paid <> (status = 'paid') OR paid <> (paid_at IS NOT NULL)`,
  },
  {
    name: 'receipt-state',
    says: 'received and received_at of an income are consistent',
    sql: `
      SELECT 'cycle_income' AS entity, id,
        format('received is %s, received_at %s',
          received, coalesce(received_at::text, 'null')) AS problem
      FROM cycle_incomes
      WHERE received <> (received_at IS NOT NULL)`,
  },
  {
    name: 'usd-amount',
    says: 'the USD amount of an expense or income in USD is its amount',
    sql: `
      SELECT entity, id, format('amount is %s USD, amount_usd %s', amount, amount_usd) AS problem
      FROM (${ENTRIES}) AS entries
      WHERE currency = 'USD' AND amount <> amount_usd`,
  },
  {
    name: 'positive-amount',
    says: 'amounts and rates are positive, incomes not negative',
    sql: `
      SELECT entity, id, format('amount is %s, amount_usd %s', amount, amount_usd) AS problem
      FROM (${ENTRIES}) AS entries WHERE amount <= 0 OR amount_usd <= 0
      UNION ALL
      SELECT entity, id, format('base_amount is %s', base_amount)
      FROM (${TEMPLATES}) AS templates WHERE base_amount <= 0
      UNION ALL
      SELECT 'cycle', id, format('income_amount is %s', income_amount)
      FROM cycles WHERE income_amount < 0
      UNION ALL
      SELECT 'exchange_rate', id, format('rate is %s', rate)
      FROM exchange_rates WHERE rate <= 0`,
  },
  {
    name: 'cycle-dates',
    says: 'a cycle ends after it starts',
    sql: `
      SELECT 'cycle' AS entity, id,
        format('starts on %s, ends on %s', start_date, end_date) AS problem
      FROM cycles WHERE end_date <= start_date`,
  },
  {
    name: 'deleted-cycle',
    says: 'the expenses and incomes of a deleted cycle are deleted',
    sql: `
      SELECT e.entity, e.id, format('is active, its cycle %s is deleted', c.id) AS problem
      FROM (${ENTRIES}) AS e JOIN cycles c ON c.id = e.cycle_id
      WHERE e.active AND NOT c.active`,
  },
  {
    name: 'owner',
    says: 'an expense, an income, a template or a calendar feed refers only to records of its owner',
    sql: `
      SELECT t.entity, t.id, format('payment method %s belongs to another user', m.id) AS problem
      FROM (${TEMPLATES}) AS t JOIN payment_methods m ON m.id = t.payment_method_id
      WHERE m.user_id <> t.user_id
      UNION ALL
      SELECT e.entity, e.id, format('payment method %s belongs to another user', m.id)
      FROM (${ENTRIES}) AS e JOIN cycles c ON c.id = e.cycle_id
      JOIN payment_methods m ON m.id = e.payment_method_id
      WHERE m.user_id <> c.user_id
      UNION ALL
      SELECT e.entity, e.id, format('template %s belongs to another user', t.id)
      FROM (${ENTRIES}) AS e JOIN cycles c ON c.id = e.cycle_id
      JOIN (${TEMPLATES}) AS t ON t.id = e.template_id
      WHERE t.user_id <> c.user_id
      UNION ALL
      SELECT 'calendar_feed', f.id, format('payment method %s belongs to another user', m.id)
      FROM calendar_feeds f JOIN payment_methods m ON m.id = f.payment_method_id
      WHERE m.user_id <> f.user_id`,
  },
  {
    name: 'household',
    says: "an income, an income template or a calendar feed is in its owner's household",
    sql: `
      SELECT 'recurrent_income' AS entity, t.id,
        format('is in household %s, its owner in %s', t.household_id, u.household_id) AS problem
      FROM income_templates t JOIN users u ON u.id = t.user_id
      WHERE t.household_id <> u.household_id
      UNION ALL
      SELECT 'cycle_income', i.id,
        format('is in household %s, its owner in %s', i.household_id, u.household_id)
      FROM cycle_incomes i JOIN cycles c ON c.id = i.cycle_id JOIN users u ON u.id = c.user_id
      WHERE i.household_id <> u.household_id
      UNION ALL
      SELECT 'calendar_feed', f.id,
        format('is in household %s, its owner in %s', f.household_id, u.household_id)
      FROM calendar_feeds f JOIN users u ON u.id = f.user_id
      WHERE f.household_id <> u.household_id`,
  },
  {
    name: 'household-admin',
    says: 'a household has an admin, and an active admin if it has active members',
    sql: `
      SELECT 'household' AS entity, h.id,
        CASE WHEN m.admins = 0 THEN 'has no admin'
          ELSE 'has active members and no active admin' END AS problem
      FROM households h CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE u.role = 'admin') AS admins,
          count(*) FILTER (WHERE u.active) AS active_members,
          count(*) FILTER (WHERE u.active AND u.role = 'admin') AS active_admins
        FROM users u WHERE u.household_id = h.id
      ) m
      WHERE m.admins = 0 OR (m.active_members > 0 AND m.active_admins = 0)`,
  },
  {
    name: 'activity-scope',
    says: "an activity record is in its entity's household and cycle, by a member",
    sql: `
      SELECT 'activity' AS entity, a.id,
        format('is in household %s and cycle %s, its %s %s in %s and %s',
          a.household_id, coalesce(a.cycle_id::text, 'none'), s.type, s.id,
          s.household_id, coalesce(s.cycle_id::text, 'none')) AS problem
      FROM activity_log a
      JOIN (${ALL_SCOPES_SQL}) s ON s.type = a.entity_type AND s.id = a.entity_id
      WHERE (a.household_id, a.cycle_id) IS DISTINCT FROM (s.household_id, s.cycle_id)
      UNION ALL
      SELECT 'activity', a.id,
        format('is in household %s, its actor in %s', a.household_id, u.household_id)
      FROM activity_log a JOIN users u ON u.id = a.actor_user_id
      WHERE u.household_id <> a.household_id`,
  },
  {
    name: 'comment-scope',
    says: "a comment is in its entity's household and cycle, by a member",
    sql: `
      SELECT 'comment' AS entity, c.id,
        CASE WHEN s.id IS NULL THEN format('its %s %s is missing', c.entity_type, c.entity_id)
          ELSE format('is in household %s and cycle %s, its %s %s in %s and %s',
            c.household_id, coalesce(c.cycle_id::text, 'none'), s.type, s.id,
            s.household_id, coalesce(s.cycle_id::text, 'none')) END AS problem
      FROM comments c
      LEFT JOIN (${ALL_SCOPES_SQL}) s ON s.type = c.entity_type AND s.id = c.entity_id
      WHERE (c.household_id, c.cycle_id) IS DISTINCT FROM (s.household_id, s.cycle_id)
      UNION ALL
      SELECT 'comment', c.id,
        format('is in household %s, its author in %s', c.household_id, u.household_id)
      FROM comments c JOIN users u ON u.id = c.author_user_id
      WHERE u.household_id <> c.household_id`,
  },
  {
    name: 'comment-events',
    says: 'the activity records of a comment match its state',
    sql: `
      SELECT 'comment' AS entity, c.id,
        format('active is %s and edited_at %s; recorded %s, edited %s, deleted %s',
          c.active, coalesce(c.edited_at::text, 'null'), e.commented, e.edited, e.deleted)
          AS problem
      FROM comments c CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(a.action = 'commented'), false) AS commented,
          coalesce(bool_or(a.action = 'comment_edited'), false) AS edited,
          coalesce(bool_or(a.action = 'comment_deleted'), false) AS deleted
        FROM activity_log a
        WHERE a.household_id = c.household_id AND a.entity_type = c.entity_type
          AND a.entity_id = c.entity_id AND a.changes #>> '{comment_id,to}' = c.id::text
      ) e
      WHERE NOT e.commented OR e.edited <> (c.edited_at IS NOT NULL) OR e.deleted = c.active`,
  },
];
