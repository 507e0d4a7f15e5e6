import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How an expense or income was converted, and which occurrence of its template it is. */
export class Provenance1795270000000 implements MigrationInterface {
  name = 'Provenance1795270000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const kind of KINDS) {
      const { table, unique } = kind;
      await queryRunner.query(`
        ALTER TABLE ${table}
          ADD occurrence_date date,
          ADD generated jsonb,
          ADD exchange_rate numeric(18, 6),
          ADD exchange_rate_date date,
          ADD CONSTRAINT ck_${table}_exchange_rate
            CHECK ((exchange_rate IS NULL) = (exchange_rate_date IS NULL))
      `);
      await queryRunner.query(fillExchangeRates(kind));
      await queryRunner.query(fillOccurrences(kind));
      await queryRunner.query(`
        CREATE UNIQUE INDEX uq_${table}_occurrence ON ${table} (${unique}) WHERE active
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of KINDS) {
      await queryRunner.query(`
        ALTER TABLE ${table}
          DROP occurrence_date, DROP generated, DROP exchange_rate, DROP exchange_rate_date
      `);
    }
  }
}

interface Kind {
  table: string;
  entityType: string;
  templates: string;
  date: string;
  unique: string;
  /** The fields that generation sets, with their names in the activity log. */
  generatedFields: string[];
}

const COMMON_FIELDS = ['description', 'currency', 'amount', 'payment_method_id'];

const KINDS: readonly Kind[] = [
  {
    table: 'cycle_expenses',
    entityType: 'cycle_expense',
    templates: 'expense_templates',
    date: 'due_date',
    unique: 'cycle_id, template_id, occurrence_date',
    generatedFields: [...COMMON_FIELDS, 'due_date', 'category', 'autopay_info'],
  },
  {
    table: 'cycle_incomes',
    entityType: 'cycle_income',
    templates: 'income_templates',
    date: 'income_date',
    unique: 'household_id, cycle_id, template_id, occurrence_date',
    generatedFields: [...COMMON_FIELDS, 'income_date'],
  },
];

/**
 * The stored rate that gives the stored amount in USD, if it is the only one that could have been in force: dated on
 * or before the date of the entry, or after it if there is no earlier one; the inverse if the pair is not stored.
 */
const fillExchangeRates = ({ table, date }: Kind): string => `
  UPDATE ${table} e SET (exchange_rate, exchange_rate_date) = (
    SELECT min(r.rate), min(r.rate_date)
    FROM (
      SELECT rate, rate_date, round(e.amount * rate, 2) AS amount_usd
      FROM exchange_rates WHERE from_currency = e.currency AND to_currency = 'USD'
      UNION ALL
      SELECT round(1 / rate, 6), rate_date, round(e.amount / rate, 2)
      FROM exchange_rates WHERE from_currency = 'USD' AND to_currency = e.currency
        AND NOT EXISTS (
          SELECT 1 FROM exchange_rates WHERE from_currency = e.currency AND to_currency = 'USD'
        )
    ) AS r
    WHERE r.amount_usd = e.amount_usd
      AND (r.rate_date <= e.${date} OR NOT EXISTS (
        SELECT 1 FROM exchange_rates earlier
        WHERE 'USD' IN (earlier.from_currency, earlier.to_currency)
          AND e.currency IN (earlier.from_currency, earlier.to_currency)
          AND earlier.rate_date <= e.${date}
      ))
    HAVING count(*) = 1
  )
  WHERE e.currency <> 'USD'
`;

/**
 * The occurrence and the generated values from the record of the creation. Left out are dates that the weekend rule
 * may have moved, because the date before it is unknown.
 */
const fillOccurrences = ({ table, entityType, templates, date, generatedFields }: Kind): string => {
  const values = generatedFields.map((field) => `'${field}', a.changes #> '{${field},to}'`);
  return `
    UPDATE ${table} e SET occurrence_date = c.occurrence_date, generated = c.generated
    FROM (
      SELECT e.id, (a.changes #>> '{${date},to}')::date AS occurrence_date,
        jsonb_build_object(${values.join(', ')}) AS generated,
        row_number() OVER (
          PARTITION BY e.cycle_id, e.template_id, a.changes #>> '{${date},to}' ORDER BY e.seq
        ) AS number
      FROM ${table} e
      JOIN ${templates} t ON t.id = e.template_id
      JOIN cycles c ON c.id = e.cycle_id
      JOIN users u ON u.id = c.user_id
      JOIN activity_log a ON a.household_id = u.household_id AND a.entity_type = '${entityType}'
        AND a.entity_id = e.id AND a.action = 'created'
      WHERE CASE t.weekend_rule
        WHEN 'before' THEN extract(isodow FROM (a.changes #>> '{${date},to}')::date) <> 5
        WHEN 'after' THEN extract(isodow FROM (a.changes #>> '{${date},to}')::date) <> 1
        ELSE true END
    ) AS c
    WHERE c.id = e.id AND c.number = 1
  `;
};
