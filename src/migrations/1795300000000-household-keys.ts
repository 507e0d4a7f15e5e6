import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * `household_id` becomes a part of every key of a household's records, while the previous version of the service
 * still runs: columns that it may leave empty, values and indexes without blocking writes, then the exchange of the
 * keys, which locks the tables for an instant, and the validation of the foreign keys.
 */

interface Key {
  table: string;
  /** The names of the primary key on `id` and of the one on `(id, household_id)`. */
  from: string;
  to: string;
}

/** Each table comes after those that it refers to. */
const KEYS: readonly Key[] = [
  {
    table: 'payment_methods',
    from: 'PK_34f9b8c6dfb4ac3559f7e2820d1',
    to: 'PK_793dccdd1cdc2608fdd488d5f6f',
  },
  {
    table: 'expense_templates',
    from: 'PK_6182f5140a115ce5e2101902944',
    to: 'PK_37f0d71127535ae98f8eee5a8c9',
  },
  {
    table: 'cycles',
    from: 'PK_52e5eeb9c7c6e4ad1aed657967a',
    to: 'PK_937ab7b5ed7b3298bc37b98d7da',
  },
  {
    table: 'cycle_expenses',
    from: 'PK_10069d48a6a794d8c175dcb4c65',
    to: 'PK_1eb49fb273b6c6f5cbb60279a27',
  },
  {
    table: 'activity_log',
    from: 'PK_067d761e2956b77b14e534fd6f1',
    to: 'PK_f186c4f42a4a7d6b6de7ee82b27',
  },
  {
    table: 'comments',
    from: 'PK_8bf68bc960f2b69e818bdb90dcb',
    to: 'PK_79446a36400faad957ac6741ee3',
  },
];

/** The tables that gain the column, with the household of a row. */
const FILLED: readonly { table: string; source: string; reference: string }[] = [
  { table: 'payment_methods', source: 'users', reference: 'user_id' },
  { table: 'expense_templates', source: 'users', reference: 'user_id' },
  { table: 'cycles', source: 'users', reference: 'user_id' },
  { table: 'cycle_expenses', source: 'cycles', reference: 'cycle_id' },
];

interface UniqueKey {
  table: string;
  name: string;
  columns: string;
  /** Whether it is a constraint; the others are indexes of the active rows. */
  isConstraint?: true;
}

/** The unique keys that gain the column. */
const UNIQUE_KEYS: readonly UniqueKey[] = [
  {
    table: 'payment_methods',
    name: 'uq_payment_methods_user_id_name',
    columns: 'user_id, name',
    isConstraint: true,
  },
  { table: 'cycles', name: 'uq_cycles_user_id_name', columns: 'user_id, name' },
  {
    table: 'cycle_expenses',
    name: 'uq_cycle_expenses_occurrence',
    columns: 'cycle_id, template_id, occurrence_date',
  },
];

interface Reference {
  table: string;
  column: string;
  target: string;
  /** What the foreign key on one column did; CASCADE unless told. The new ones cascade. */
  onDelete?: 'SET NULL';
}

const REFERENCES: readonly Reference[] = [
  { table: 'expense_templates', column: 'payment_method_id', target: 'payment_methods' },
  { table: 'cycle_expenses', column: 'payment_method_id', target: 'payment_methods' },
  {
    table: 'cycle_expenses',
    column: 'template_id',
    target: 'expense_templates',
    onDelete: 'SET NULL',
  },
  { table: 'cycle_expenses', column: 'cycle_id', target: 'cycles' },
  {
    table: 'income_templates',
    column: 'payment_method_id',
    target: 'payment_methods',
    onDelete: 'SET NULL',
  },
  {
    table: 'cycle_incomes',
    column: 'payment_method_id',
    target: 'payment_methods',
    onDelete: 'SET NULL',
  },
  { table: 'cycle_incomes', column: 'cycle_id', target: 'cycles' },
  { table: 'calendar_feeds', column: 'payment_method_id', target: 'payment_methods' },
];

const FILL_BATCH_ROWS = 5_000;

const newNameOf = (name: string): string => `${name}_household`;
const foreignKeyOf = ({ table, column }: Reference): string => `fk_${table}_${column}`;
const filledCheckOf = (table: string): string => `ck_${table}_household_id`;
const triggerOf = (table: string): string => `tr_${table}_household_id`;

/** The column, which inserts of the previous version leave to a trigger. */
export class HouseholdColumns1795300000000 implements MigrationInterface {
  name = 'HouseholdColumns1795300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, source, reference } of FILLED) {
      await queryRunner.query(`ALTER TABLE ${table} ADD household_id uuid`);
      await queryRunner.query(`
        CREATE FUNCTION fill_${table}_household_id() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.household_id := (SELECT s.household_id FROM ${source} s WHERE s.id = NEW.${reference});
          RETURN NEW;
        END
        $$
      `);
      await queryRunner.query(`
        CREATE TRIGGER ${triggerOf(table)} BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW WHEN (NEW.household_id IS NULL)
        EXECUTE FUNCTION fill_${table}_household_id()
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of FILLED) {
      await queryRunner.query(`DROP TRIGGER IF EXISTS ${triggerOf(table)} ON ${table}`);
      await queryRunner.query(`DROP FUNCTION IF EXISTS fill_${table}_household_id`);
      await queryRunner.query(`ALTER TABLE ${table} DROP household_id`);
    }
  }
}

/**
 * The values and the indexes of the new keys. Outside a transaction, where rows are locked only for their batch and
 * indexes are built beside writes; it can be interrupted and run again. A restore runs it in its own transaction.
 */
export class HouseholdValues1795300000001 implements MigrationInterface {
  name = 'HouseholdValues1795300000001';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of FILLED) {
      await fill(queryRunner, table);
      const check = filledCheckOf(table);
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${check}`);
      await queryRunner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${check} CHECK (household_id IS NOT NULL) NOT VALID`,
      );
      await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${check}`);
    }
    for (const { table, to } of KEYS) {
      await createUniqueIndex(queryRunner, `"${to}"`, `${table} (id, household_id)`);
    }
    for (const { table, name, columns, isConstraint } of UNIQUE_KEYS) {
      const where = isConstraint ? '' : ' WHERE active';
      await createUniqueIndex(
        queryRunner,
        newNameOf(name),
        `${table} (${columns}, household_id)${where}`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of FILLED) {
      const check = filledCheckOf(table);
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${check}`);
    }
    for (const { to } of KEYS) await queryRunner.query(`DROP INDEX IF EXISTS "${to}"`);
    for (const { name } of UNIQUE_KEYS) {
      await queryRunner.query(`DROP INDEX IF EXISTS ${newNameOf(name)}`);
    }
  }
}

/** The exchange of the keys; it takes no longer for more rows. */
export class HouseholdKeys1795300000002 implements MigrationInterface {
  name = 'HouseholdKeys1795300000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await dropForeignKeys(queryRunner);
    for (const { table } of FILLED) {
      await queryRunner.query(`ALTER TABLE ${table} ALTER household_id SET NOT NULL`);
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${filledCheckOf(table)}`);
    }
    for (const { table, from, to } of KEYS) {
      await queryRunner.query(`
        ALTER TABLE ${table}
        DROP CONSTRAINT "${from}",
        ADD CONSTRAINT "${to}" PRIMARY KEY USING INDEX "${to}"
      `);
    }
    for (const { table, name, isConstraint } of UNIQUE_KEYS) {
      if (isConstraint) {
        await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
        await queryRunner.query(
          `ALTER TABLE ${table} ADD CONSTRAINT ${name} UNIQUE USING INDEX ${newNameOf(name)}`,
        );
      } else {
        await queryRunner.query(`DROP INDEX ${name}`);
        await queryRunner.query(`ALTER INDEX ${newNameOf(name)} RENAME TO ${name}`);
      }
    }
    for (const reference of REFERENCES) {
      const { table, column, target } = reference;
      await queryRunner.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ${foreignKeyOf(reference)}
        FOREIGN KEY (${column}, household_id) REFERENCES ${target}(id, household_id)
        ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropForeignKeys(queryRunner);
    for (const { table, from, to } of KEYS) {
      await queryRunner.query(`
        ALTER TABLE ${table} DROP CONSTRAINT "${to}", ADD CONSTRAINT "${from}" PRIMARY KEY (id)
      `);
    }
    for (const { table, name, columns, isConstraint } of UNIQUE_KEYS) {
      if (isConstraint) {
        await queryRunner.query(`
          ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} UNIQUE (${columns})
        `);
      } else {
        await queryRunner.query(`DROP INDEX ${name}`);
        await queryRunner.query(
          `CREATE UNIQUE INDEX ${name} ON ${table} (${columns}) WHERE active`,
        );
      }
    }
    for (const { table } of FILLED) {
      await queryRunner.query(`ALTER TABLE ${table} ALTER household_id DROP NOT NULL`);
    }
    for (const reference of REFERENCES) {
      const { table, column, target, onDelete = 'CASCADE' } = reference;
      await queryRunner.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ${foreignKeyOf(reference)}
        FOREIGN KEY (${column}) REFERENCES ${target}(id) ON DELETE ${onDelete} ON UPDATE NO ACTION
      `);
    }
  }
}

/** The foreign keys, compared with the rows that were there before them; writes go on. */
export class HouseholdReferences1795300000003 implements MigrationInterface {
  name = 'HouseholdReferences1795300000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const reference of REFERENCES) {
      await queryRunner.query(
        `ALTER TABLE ${reference.table} VALIDATE CONSTRAINT ${foreignKeyOf(reference)}`,
      );
    }
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

async function dropForeignKeys(queryRunner: QueryRunner): Promise<void> {
  for (const reference of REFERENCES) {
    await queryRunner.query(
      `ALTER TABLE ${reference.table} DROP CONSTRAINT ${foreignKeyOf(reference)}`,
    );
  }
}

/** The trigger sets the value. Rows locked by requests wait for the next round, so that none waits for another. */
async function fill(queryRunner: QueryRunner, table: string): Promise<void> {
  for (;;) {
    const rows = (await queryRunner.query(
      `SELECT id FROM ${table} WHERE household_id IS NULL LIMIT 1`,
    )) as object[];
    if (rows.length === 0) return;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const [batch] = (await queryRunner.query(
        `WITH batch AS (
           SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${FILL_BATCH_ROWS}
         ), free AS (
           SELECT t.id FROM ${table} t JOIN batch USING (id)
           WHERE t.household_id IS NULL FOR NO KEY UPDATE OF t SKIP LOCKED
         ), filled AS (
           UPDATE ${table} t SET household_id = NULL FROM free WHERE t.id = free.id
         )
         SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last`,
        [after],
      )) as [{ last: string | null }];
      if (batch.last === null) break;
      after = batch.last;
    }
  }
}

/** Replaces what an interrupted run may have left. */
async function createUniqueIndex(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  const concurrently = queryRunner.isTransactionActive ? '' : 'CONCURRENTLY';
  await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${concurrently} ${name} ON ${definition}`);
}
