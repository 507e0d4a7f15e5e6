import sql from 'sql-template-tag';
import { balanceSql } from '../../ledger/entities/balance.js';
import { BUDGET_LIMITS_SQL } from '../../ledger/entities/cycle.entity.js';
import { RECORD_TYPES, STORED_TYPES, type StoredType } from '../../records/record-types.js';

/** An invariant, and a query that returns violations: `entity`, `id` and `problem`. */
export interface Rule {
  name: string;
  description: string;
  sql: string;
}

/** The household and the cycle of the entities of a type. */
export function scopeSql(type: StoredType): string {
  const { table, cycleId } = RECORD_TYPES[type];
  return `SELECT id, household_id, ${cycleId} AS cycle_id FROM ${table}`;
}

const ALL_SCOPES_SQL = STORED_TYPES.map(
  (type) => `SELECT '${type}' AS type, scope.* FROM (${scopeSql(type)}) AS scope`,
).join(' UNION ALL ');

/** The records with an owner and a payment method. */
const WITH_METHOD = union(
  {
    ...tablesOf('recurrent_expense', 'recurrent_income', 'balance', 'card_statement'),
    calendar_feed: 'calendar_feeds',
  },
  'id, household_id, user_id, payment_method_id',
);
/** The common columns of both kinds of templates and of both kinds of entries. */
const TEMPLATES = union(
  tablesOf('recurrent_expense', 'recurrent_income'),
  'id, household_id, user_id',
);
const ENTRIES = union(
  tablesOf('cycle_expense', 'cycle_income'),
  'id, household_id, cycle_id, template_id, payment_method_id, currency, amount, amount_usd, active',
);
/** The records that name their owner. */
const OWNED = union(
  {
    ...tablesOf(...STORED_TYPES.filter((type) => RECORD_TYPES[type].cycleId !== 'cycle_id')),
    calendar_feed: 'calendar_feeds',
    personal_access_token: 'personal_access_tokens',
  },
  'id, household_id, user_id',
);
/** The budgets that records refer to, and the owners of these records. */
const BUDGET_REFERENCES = `
  SELECT 'recurrent_expense' AS entity, t.id, t.household_id, t.user_id, t.budget_id
  FROM expense_templates t WHERE t.budget_id IS NOT NULL
  UNION ALL
  SELECT 'recurrent_income', t.id, t.household_id, t.user_id, t.budget_id
  FROM income_templates t WHERE t.budget_id IS NOT NULL
  UNION ALL
  SELECT 'cycle_expense', e.id, e.household_id, c.user_id, e.budget_id
  FROM cycle_expenses e JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
  WHERE e.budget_id IS NOT NULL
  UNION ALL
  SELECT 'cycle_income', i.id, i.household_id, c.user_id, i.budget_id
  FROM cycle_incomes i JOIN cycles c ON c.household_id = i.household_id AND c.id = i.cycle_id
  WHERE i.budget_id IS NOT NULL
  UNION ALL
  SELECT 'cycle', c.id, c.household_id, c.user_id, l.budget_id
  FROM cycles c CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL.text}`;

function tablesOf(...types: readonly StoredType[]): Record<string, string> {
  return Object.fromEntries(types.map((type) => [type, RECORD_TYPES[type].table]));
}

function union(tables: Record<string, string>, columns: string): string {
  return Object.entries(tables)
    .map(([entity, table]) => `SELECT '${entity}' AS entity, ${columns} FROM ${table}`)
    .join(' UNION ALL ');
}

/**
 * Invariants that no constraint ensures. Every join of records names the household, as a
 * distributed database requires.
 */
export const RULES: readonly Rule[] = [
  {
    name: 'balance',
    description:
      "a cycle's remaining balance is its income amount plus its incomes minus its counted expenses",
    sql: `
      SELECT 'cycle' AS entity, b.id,
        format('remaining_balance is %s, income minus expenses is %s',
          b.remaining_balance, b.balance) AS problem
      FROM (
        SELECT c.id, c.remaining_balance, ${balanceSql(sql`c.household_id`).text} AS balance
        FROM cycles c WHERE c.active
      ) AS b
      WHERE b.remaining_balance <> b.balance`,
  },
  {
    name: 'usd-amount',
    description: 'the USD amount of an expense or income in USD is its amount',
    sql: `
      SELECT entity, id, format('amount is %s USD, amount_usd %s', amount, amount_usd) AS problem
      FROM (${ENTRIES}) AS entries
      WHERE currency = 'USD' AND amount <> amount_usd`,
  },
  {
    name: 'deleted-cycle',
    description: 'the expenses and incomes of a deleted cycle are deleted',
    sql: `
      SELECT e.entity, e.id, format('is active, its cycle %s is deleted', c.id) AS problem
      FROM (${ENTRIES}) AS e
      JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
      WHERE e.active AND NOT c.active`,
  },
  {
    name: 'owner',
    description: 'what has a payment method or a template has one of its owner',
    sql: `
      SELECT r.entity, r.id, format('payment method %s belongs to another user', m.id) AS problem
      FROM (${WITH_METHOD}) AS r
      JOIN payment_methods m ON m.household_id = r.household_id AND m.id = r.payment_method_id
      WHERE m.user_id <> r.user_id
      UNION ALL
      SELECT e.entity, e.id, format('payment method %s belongs to another user', m.id)
      FROM (${ENTRIES}) AS e
      JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
      JOIN payment_methods m ON m.household_id = e.household_id AND m.id = e.payment_method_id
      WHERE m.user_id <> c.user_id
      UNION ALL
      SELECT 'payment_method', r.id, format('is paid from %s of another user', m.id)
      FROM payment_methods r
      JOIN payment_methods m ON m.household_id = r.household_id AND m.id = r.paid_from_id
      WHERE m.user_id <> r.user_id
      UNION ALL
      SELECT e.entity, e.id, format('template %s belongs to another user', t.id)
      FROM (${ENTRIES}) AS e
      JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
      JOIN (${TEMPLATES}) AS t ON t.household_id = e.household_id AND t.id = e.template_id
      WHERE t.user_id <> c.user_id`,
  },
  {
    name: 'budget',
    description: 'what has a budget has one of its owner, and limits are positive',
    sql: `
      SELECT r.entity, r.id, CASE WHEN b.id IS NULL THEN format('its budget %s does not exist', r.budget_id)
        ELSE format('budget %s belongs to another user', b.id) END AS problem
      FROM (${BUDGET_REFERENCES}) AS r
      LEFT JOIN budgets b ON b.household_id = r.household_id AND b.id = r.budget_id
      WHERE b.id IS NULL OR b.user_id <> r.user_id
      UNION ALL
      SELECT 'cycle', c.id, format('has limit %s of budget %s', l."limit", l.budget_id)
      FROM cycles c CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL.text}
      WHERE l."limit" <= 0
      UNION ALL
      SELECT 'cycle', c.id, format('has %s limits of budget %s', count(*), l.budget_id)
      FROM cycles c CROSS JOIN LATERAL ${BUDGET_LIMITS_SQL.text}
      GROUP BY c.household_id, c.id, l.budget_id HAVING count(*) > 1`,
  },
  {
    name: 'card',
    description:
      'what has a closing day is a credit card that pays no other, and a statement has amounts exactly when paid',
    sql: `
      SELECT 'payment_method' AS entity, m.id, format('has closing day %s', m.closing_day) AS problem
      FROM payment_methods m
      WHERE m.closing_day IS NOT NULL
        AND (m.method_type <> 'credit' OR num_nonnulls(m.due_day, m.due_days_after) <> 1
          OR m.first_closing_date IS NULL)
      UNION ALL
      SELECT 'payment_method', r.id, format('is paid from %s, which has statements', m.id)
      FROM payment_methods r
      JOIN payment_methods m ON m.household_id = r.household_id AND m.id = r.paid_from_id
      WHERE m.closing_day IS NOT NULL OR m.id = r.id
      UNION ALL
      SELECT 'card_statement', s.id, format('paid is %s with %s of amount, paid_at and paid_amount', s.paid,
        num_nonnulls(s.amount, s.paid_at, s.paid_amount))
      FROM card_statements s
      WHERE num_nonnulls(s.amount, s.paid_at, s.paid_amount) <> CASE WHEN s.paid THEN 3 ELSE 0 END
      UNION ALL
      SELECT 'card_statement', s.id, format('is from %s to %s, and due on %s', s.first_date, s.closing_date, s.due_date)
      FROM card_statements s
      WHERE s.first_date > s.closing_date OR s.due_date <= s.closing_date`,
  },
  {
    name: 'household',
    description: "a record is in its owner's household",
    sql: `
      SELECT r.entity, r.id,
        format('is in household %s, its owner in %s', r.household_id, u.household_id) AS problem
      FROM (${OWNED}) AS r JOIN users u ON u.id = r.user_id
      WHERE r.household_id <> u.household_id`,
  },
  {
    name: 'household-admin',
    description: 'a household has an admin, and an active admin if it has active members',
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
    name: 'email',
    description: 'the e-mail of a user is in Unicode NFC, as a sign-in looks for it',
    sql: `
      SELECT 'user' AS entity, u.id,
        format('its e-mail %s is not in Unicode NFC%s; users set-email changes it', u.email,
          CASE WHEN other.id IS NOT NULL THEN format(', where it is that of user %s', other.id) END) AS problem
      FROM users u LEFT JOIN users other ON other.email = normalize(u.email, NFC) AND other.id <> u.id
      WHERE u.email IS NOT NFC NORMALIZED`,
  },
  {
    name: 'activity-scope',
    description: "an activity record is in its entity's cycle, by a member of the household",
    sql: `
      SELECT 'activity' AS entity, a.id,
        format('is in cycle %s, its %s %s in %s', coalesce(a.cycle_id::text, 'none'),
          s.type, s.id, coalesce(s.cycle_id::text, 'none')) AS problem
      FROM activity_log a
      JOIN (${ALL_SCOPES_SQL}) s
        ON s.household_id = a.household_id AND s.type = a.entity_type AND s.id = a.entity_id
      WHERE a.cycle_id IS DISTINCT FROM s.cycle_id
      UNION ALL
      SELECT 'activity', a.id,
        format('is in household %s, its actor in %s', a.household_id, u.household_id)
      FROM activity_log a JOIN users u ON u.id = a.actor_user_id
      WHERE u.household_id <> a.household_id`,
  },
  {
    name: 'undone-record',
    description: 'an undo takes back an earlier activity record of its entity',
    sql: `
      SELECT 'activity' AS entity, a.id, format('takes back %s, which is not of its entity', a.undoes) AS problem
      FROM activity_log a
      LEFT JOIN activity_log undone
        ON undone.household_id = a.household_id AND undone.id = a.undoes AND undone.seq < a.seq
          AND undone.entity_type = a.entity_type AND undone.entity_id = a.entity_id
      WHERE a.undoes IS NOT NULL AND undone.id IS NULL`,
  },
  {
    name: 'comment-scope',
    description: "a comment is on an entity of its household, in its entity's cycle, by a member",
    sql: `
      SELECT 'comment' AS entity, c.id,
        CASE WHEN s.id IS NULL THEN format('its %s %s is not in its household', c.entity_type, c.entity_id)
          ELSE format('is in cycle %s, its %s %s in %s', coalesce(c.cycle_id::text, 'none'),
            s.type, s.id, coalesce(s.cycle_id::text, 'none')) END AS problem
      FROM comments c
      LEFT JOIN (${ALL_SCOPES_SQL}) s
        ON s.household_id = c.household_id AND s.type = c.entity_type AND s.id = c.entity_id
      WHERE s.id IS NULL OR c.cycle_id IS DISTINCT FROM s.cycle_id
      UNION ALL
      SELECT 'comment', c.id,
        format('is in household %s, its author in %s', c.household_id, u.household_id)
      FROM comments c JOIN users u ON u.id = c.author_user_id
      WHERE u.household_id <> c.household_id`,
  },
  {
    name: 'comment-events',
    description: 'the activity records of a comment match its state',
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
