import sql, { empty, type Sql } from 'sql-template-tag';
import type { CardSettlements } from '../cards/cards.service.js';
import { countsByItselfSql, incomeCountsByItselfSql } from '../cards/statement-days-sql.js';
import type { StatementPayment } from '../cards/statements.js';
import { exchangeSql, ratesInForceSql } from '../exchange-rates/rates-in-force.js';
import { IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf, formatMoney, type Cents } from '../platform/values/money.js';

/**
 * A payment method that has a balance: its latest one, and what was settled with it since. Amounts
 * are texts in the currency of the balance.
 */
export interface StatedRow {
  id: string;
  name: string;
  methodType: PaymentMethodType;
  /** Whether its balance counts. */
  active: boolean;
  isMain: boolean;
  currency: CurrencyCode;
  stated: string;
  /** The instant of its latest balance, as the API has it. */
  statedAt: string;
  received: string;
  paid: string;
  /** Whether a rate was missing to convert what was settled. */
  lacksRate: boolean;
}

/**
 * The payment methods with a balance, oldest first. What was settled with one that never had a
 * balance counts with the one from which it is paid, or else with the main one, as what has no
 * payment method does. What belongs to a statement does not count; the payment of the statement does.
 *
 * @param until the last instant of balances and settlements; by default none. A payment method whose
 *   balances are all later is left out, and the main one stays the same
 */
export function listStated(
  scope: Scope,
  settlements: CardSettlements,
  until: Date | null = null,
): Promise<StatedRow[]> {
  return query(
    scope.manager,
    sql`
      WITH stated AS MATERIALIZED (${statedSql(scope, until)}),
      main AS (
        SELECT id FROM stated WHERE active
        ORDER BY array_position(ARRAY['debit', 'transfer', 'cash', 'credit'], method_type::text), seq
        LIMIT 1
      ),
      -- Read once, not once for each payment method.
      entry AS MATERIALIZED (${settledSql(scope, settlements)}),
      settled AS (
        SELECT stated.id AS stated_id, stated.currency AS stated_currency, entry.*
        FROM entry
        LEFT JOIN stated AS own ON own.id = entry.payment_method_id
        LEFT JOIN payment_methods pm
          ON pm.household_id = ${scope.householdId} AND pm.id = entry.payment_method_id
        LEFT JOIN stated AS payer ON payer.id = pm.paid_from_id AND payer.active
        JOIN stated ON stated.id = coalesce(own.id, payer.id, (SELECT id FROM main))
        WHERE entry.settled_at > stated.stated_at
          AND (${until}::timestamptz IS NULL OR entry.settled_at <= ${until})
      ),
      rate AS (
        SELECT * FROM ${ratesInForceSql(
          { from: 'USD', to: 'MXN' },
          sql`(SELECT DISTINCT date FROM settled WHERE stated_currency = 'MXN' AND currency = 'USD')`,
        )} AS in_force
      ),
      total AS (
        SELECT stated_id, sum(amount) FILTER (WHERE is_income) AS received,
          sum(amount) FILTER (WHERE NOT is_income) AS paid, bool_or(amount IS NULL) AS lacks_rate
        FROM (
          SELECT settled.stated_id, settled.is_income,
            CASE WHEN settled.currency = settled.stated_currency THEN settled.amount
              WHEN settled.stated_currency = 'USD' THEN settled.amount_usd
              ELSE ${exchangeSql(sql`settled.amount`, sql`rate`)} END AS amount
          FROM settled LEFT JOIN rate ON rate.date = settled.date
        ) AS converted
        GROUP BY stated_id
      )
      SELECT stated.id, stated.name, stated.method_type AS "methodType", stated.active,
        stated.id IS NOT DISTINCT FROM (SELECT id FROM main) AS "isMain", stated.currency,
        stated.amount AS stated, stated.stated_at AS "statedAt",
        coalesce(total.received, 0.00) AS received, coalesce(total.paid, 0.00) AS paid,
        coalesce(total.lacks_rate, false) AS "lacksRate"
      FROM stated LEFT JOIN total ON total.stated_id = stated.id
      WHERE stated.stated_at IS NOT NULL
      ORDER BY stated.seq`,
  );
}

/** SQL: the payment methods with a balance, and the latest one of each until an instant or NULL. */
const statedSql = ({ userId, householdId }: Scope, until: Date | null): Sql => sql`
  SELECT pm.id, pm.name, pm.method_type, pm.active, pm.seq, latest.currency, latest.amount,
    latest.stated_at
  FROM payment_methods pm
  LEFT JOIN LATERAL (
    SELECT b.currency, b.amount, b.stated_at FROM balances b
    WHERE b.household_id = ${householdId} AND b.payment_method_id = pm.id AND b.active
      AND (${until}::timestamptz IS NULL OR b.stated_at <= ${until})
    ORDER BY b.stated_at DESC, b.seq DESC LIMIT 1
  ) AS latest ON true
  WHERE pm.household_id = ${householdId} AND pm.user_id = ${userId} AND pm.closing_day IS NULL
    AND EXISTS (
    SELECT FROM balances b
    WHERE b.household_id = ${householdId} AND b.payment_method_id = pm.id AND b.active
  )`;

/**
 * SQL: what was paid and received since the earliest balance of `stated`. Without one no entry is
 * read.
 */
const settledSql = (
  { userId, householdId }: Scope,
  { days, payments }: CardSettlements,
): Sql => sql`
  SELECT e.payment_method_id, e.paid_at AS settled_at, e.due_date AS date, e.currency, e.amount,
    e.amount_usd, false AS is_income
  FROM cycle_expenses e
  JOIN cycles c ON c.household_id = ${householdId} AND c.id = e.cycle_id
  WHERE e.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
    AND EXISTS (SELECT FROM stated) AND ${IS_COUNTED_SQL} AND e.paid
    AND e.paid_at > (SELECT min(stated_at) FROM stated)
    AND ${countsByItselfSql(days)}
  UNION ALL
  SELECT i.payment_method_id, i.received_at, i.income_date, i.currency, i.amount, i.amount_usd, true
  FROM cycle_incomes i
  JOIN cycles c ON c.household_id = ${householdId} AND c.id = i.cycle_id
  WHERE i.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
    AND EXISTS (SELECT FROM stated) AND i.active AND i.received
    AND i.received_at > (SELECT min(stated_at) FROM stated)
    AND ${incomeCountsByItselfSql(days)}
  ${payments.length === 0 ? empty : sql`UNION ALL ${paymentsSql(payments)}`}`;

/** SQL: the payments of statements like entries that were paid. */
const paymentsSql = (payments: readonly StatementPayment[]): Sql => sql`
  SELECT payment.paid_from_id, payment.paid_at, payment.date, payment.currency, payment.amount,
    CASE WHEN payment.currency = 'USD' THEN payment.amount
      ELSE ${exchangeSql(sql`payment.amount`, sql`rate_in_usd`)} END, false
  FROM unnest(${payments.map(({ paidFromId }) => paidFromId)}::uuid[],
    ${payments.map(({ paidAt }) => paidAt)}::timestamptz[],
    ${payments.map(({ date }) => date)}::date[],
    ${payments.map(({ currency }) => currency)}::currency_code[],
    ${payments.map(({ amount }) => formatMoney(amount))}::numeric[])
    AS payment(paid_from_id, paid_at, date, currency, amount)
  LEFT JOIN ${ratesInForceSql(
    { from: 'MXN', to: 'USD' },
    sql`(SELECT DISTINCT unnest(${payments.map(({ date }) => date)}::date[]))`,
  )} AS rate_in_usd ON rate_in_usd.date = payment.date`;

/** What is known of a cycle in any state. */
export interface IncomeCycle {
  name: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  side: boolean;
  /** The amount in USD. */
  incomeAmount: Cents;
}

/** Every cycle, in the order of creation. */
export async function listIncomeCycles({
  manager,
  userId,
  householdId,
}: Scope): Promise<IncomeCycle[]> {
  const rows = await query<Omit<IncomeCycle, 'incomeAmount'> & { incomeAmount: string }>(
    manager,
    sql`
      SELECT name, start_date AS "startDate", end_date AS "endDate", side,
        income_amount AS "incomeAmount"
      FROM cycles
      WHERE household_id = ${householdId} AND user_id = ${userId} AND active
      ORDER BY seq`,
  );
  return rows.map((row) => ({ ...row, incomeAmount: centsOf(row.incomeAmount) }));
}
