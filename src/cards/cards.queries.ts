import { Big } from 'big.js';
import sql, { type Sql } from 'sql-template-tag';
import { noRateToPesos } from '../exchange-rates/conversion.js';
import { exchangeSql, ratesInForceSql } from '../exchange-rates/rates-in-force.js';
import { IS_COUNTED_SQL } from '../ledger/entities/balance.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import type { StatementRules } from '../payment-methods/statement-dates.js';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Money } from '../platform/values/money.js';
import type { CardFields, StatementDates, StoredStatement } from './card.js';

interface CardRow {
  id: string;
  name: string;
  methodType: PaymentMethodType;
  active: boolean;
  currency: CurrencyCode;
  closingDay: number | null;
  dueDay: number | null;
  dueDaysAfter: number | null;
  dueWeekendRule: StatementRules['dueWeekendRule'];
  firstClosingDate: CalendarDate | null;
  autopay: boolean;
  paidFromId: string | null;
  stored: StoredRow[];
}

/** Amounts and instants are texts. */
interface StoredRow {
  id: string;
  firstDate: CalendarDate;
  closingDate: CalendarDate;
  dueDate: CalendarDate;
  statedAmount: string | null;
  amount: string | null;
  paid: boolean;
  paidAt: string | null;
  paidAmount: string | null;
  createdAt: string;
  updatedAt: string;
}

/**
 * The owner's payment methods that have statements or some that are stored, active or not, oldest
 * first.
 *
 * @param id of the only one; null: all
 */
export async function listCards(
  { manager, userId, householdId }: Scope,
  id: string | null = null,
): Promise<CardFields[]> {
  const rows = await query<CardRow>(
    manager,
    sql`
      SELECT pm.id, pm.name, pm.method_type AS "methodType", pm.active,
        pm.default_currency AS currency, pm.closing_day AS "closingDay", pm.due_day AS "dueDay",
        pm.due_days_after AS "dueDaysAfter", pm.due_weekend_rule AS "dueWeekendRule",
        pm.first_closing_date AS "firstClosingDate", pm.autopay, pm.paid_from_id AS "paidFromId",
        coalesce(statement.stored, '[]'::json) AS stored
      FROM payment_methods pm
      LEFT JOIN (
        SELECT s.payment_method_id, json_agg(json_build_object(
          'id', s.id, 'firstDate', s.first_date, 'closingDate', s.closing_date,
          'dueDate', s.due_date, 'statedAmount', s.stated_amount::text, 'amount', s.amount::text,
          'paid', s.paid, 'paidAt', s.paid_at, 'paidAmount', s.paid_amount::text,
          'createdAt', s.created_at, 'updatedAt', s.updated_at) ORDER BY s.closing_date) AS stored
        FROM card_statements s
        WHERE s.household_id = ${householdId} AND s.user_id = ${userId} AND s.active
          AND (${id}::uuid IS NULL OR s.payment_method_id = ${id})
        GROUP BY s.payment_method_id
      ) AS statement ON statement.payment_method_id = pm.id
      WHERE pm.household_id = ${householdId} AND pm.user_id = ${userId}
        AND (${id}::uuid IS NULL OR pm.id = ${id})
        AND (pm.closing_day IS NOT NULL OR statement.stored IS NOT NULL)
      ORDER BY pm.seq`,
  );
  return rows.map(toCardFields);
}

function toCardFields(row: CardRow): CardFields {
  const { closingDay, dueDay, dueDaysAfter, dueWeekendRule, stored, ...fields } = row;
  return {
    ...fields,
    rules: closingDay === null ? null : { closingDay, dueDay, dueDaysAfter, dueWeekendRule },
    stored: stored.map((one): StoredStatement => ({
      ...one,
      statedAmount: bigOf(one.statedAmount),
      amount: bigOf(one.amount),
      paidAt: one.paidAt === null ? null : new Date(one.paidAt),
      paidAmount: bigOf(one.paidAmount),
      createdAt: new Date(one.createdAt),
      updatedAt: new Date(one.updatedAt),
    })),
  };
}

const bigOf = (amount: string | null): Money | null => (amount === null ? null : new Big(amount));

/** The purchases of a statement in one currency, less its credits. */
export interface PurchaseSum {
  /** Of the statement among those of the query. */
  index: number;
  currency: CurrencyCode;
  amount: Money;
  /** In the currency of the card, each converted by the rate in force on its own date. */
  converted: Money;
  expenseCount: number;
}

/** The statements to sum, and the currency of their card. */
export type SummedStatement = Pick<StatementDates, 'from' | 'closingDate'> & {
  card: Pick<CardFields, 'id' | 'currency'>;
};

type SumRow = Omit<PurchaseSum, 'amount' | 'converted'> & {
  amount: string;
  converted: string;
  lacksRate: boolean;
};

/**
 * What was bought with cards in the periods of statements, paid or not, less what was received with
 * them, of every cycle that is not deleted; nothing for statements without both.
 *
 * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount in USD without a stored rate
 */
export async function sumPurchases(
  { manager, userId, householdId }: Scope,
  statements: readonly SummedStatement[],
): Promise<PurchaseSum[]> {
  if (statements.length === 0) return [];
  const firsts = statements.map(({ from }) => from);
  const lasts = statements.map(({ closingDate }) => closingDate);
  const cardIds = statements.map(({ card }) => card.id);
  const [first, last] = [firsts.toSorted()[0], lasts.toSorted().at(-1)];
  const own = (date: Sql, method: Sql): Sql => sql`
    ${method} = ANY(${[...new Set(cardIds)]}) AND ${date} BETWEEN ${first}::date AND ${last}::date`;
  const rows = await query<SumRow>(
    manager,
    sql`
      WITH entry AS (
        SELECT s.index, s.currency AS card_currency, entry.*
        FROM unnest(${cardIds}::uuid[], ${firsts}::date[], ${lasts}::date[],
          ${statements.map(({ card }) => card.currency)}::currency_code[])
          WITH ORDINALITY AS s(card_id, first, last, currency, index)
        JOIN (
          SELECT e.payment_method_id, e.due_date AS date, e.currency, e.amount, e.amount_usd,
            1 AS sign
          FROM cycles c
          JOIN cycle_expenses e ON e.household_id = ${householdId} AND e.cycle_id = c.id
            AND ${IS_COUNTED_SQL} AND ${own(sql`e.due_date`, sql`e.payment_method_id`)}
          WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
          UNION ALL
          SELECT i.payment_method_id, i.income_date, i.currency, i.amount, i.amount_usd, -1
          FROM cycles c
          JOIN cycle_incomes i ON i.household_id = ${householdId} AND i.cycle_id = c.id
            AND i.active AND ${own(sql`i.income_date`, sql`i.payment_method_id`)}
          WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
        ) AS entry ON entry.payment_method_id = s.card_id
          AND entry.date BETWEEN s.first AND s.last
      ),
      rate AS (
        SELECT * FROM ${ratesInForceSql(
          { from: 'USD', to: 'MXN' },
          sql`(SELECT DISTINCT date FROM entry WHERE card_currency = 'MXN' AND currency = 'USD')`,
        )} AS in_force
      )
      SELECT index::int - 1 AS index, currency, sum(sign * amount) AS amount,
        coalesce(sum(sign * converted), 0.00) AS converted,
        (count(*) FILTER (WHERE sign = 1))::int AS "expenseCount",
        bool_or(converted IS NULL) AS "lacksRate"
      FROM (
        SELECT entry.*,
          CASE WHEN entry.currency = entry.card_currency THEN entry.amount
            WHEN entry.card_currency = 'USD' THEN entry.amount_usd
            ELSE ${exchangeSql(sql`entry.amount`, sql`rate`)} END AS converted
        FROM entry LEFT JOIN rate ON rate.date = entry.date
      ) AS converted
      GROUP BY index, currency`,
  );
  if (rows.some(({ lacksRate }) => lacksRate)) throw noRateToPesos();
  return rows.map(({ index, currency, expenseCount, amount, converted }) => ({
    ...{ index, currency, expenseCount },
    amount: new Big(amount),
    converted: new Big(converted),
  }));
}
