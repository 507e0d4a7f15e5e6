import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables whose records have a budget. */
const TABLES = ['expense_templates', 'cycle_expenses'];

/** Budgets, which templates and expenses may have, and what a cycle may spend on them. */
export class Budgets1795360000000 implements MigrationInterface {
  name = 'Budgets1795360000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE budgets (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        name character varying(100) NOT NULL,
        active boolean NOT NULL DEFAULT true,
        household_id uuid NOT NULL,
        user_id uuid NOT NULL,
        cycle_limit numeric(12, 2),
        CONSTRAINT uq_budgets_user_id_name UNIQUE (user_id, name, household_id),
        CONSTRAINT ck_budgets_cycle_limit CHECK (cycle_limit > 0),
        CONSTRAINT pk_budgets PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(`
      ALTER TABLE budgets
      ADD CONSTRAINT fk_budgets_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    if (await isDistributed(queryRunner)) await distribute(queryRunner);
    // Columns that rewrite no row, so that the previous version can insert while it still runs.
    await queryRunner.query(`ALTER TABLE cycles ADD budget_limits jsonb NOT NULL DEFAULT '[]'`);
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD budget_id uuid`);
      await queryRunner.query(`
        ALTER TABLE ${table}
        ADD CONSTRAINT fk_${table}_budget_id FOREIGN KEY (budget_id, household_id) REFERENCES budgets(id, household_id) ON DELETE CASCADE ON UPDATE NO ACTION
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP budget_id`);
    await queryRunner.query(`ALTER TABLE cycles DROP budget_limits`);
    await queryRunner.query(`DROP TABLE budgets`);
  }
}

/** Whether the tables of households are distributed, as `cli distribute` does. */
async function isDistributed(queryRunner: QueryRunner): Promise<boolean> {
  const [catalog] = (await queryRunner.query(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS exists`,
  )) as { exists: boolean }[];
  if (!catalog?.exists) return false;
  const rows = (await queryRunner.query(
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'cycles'::regclass AND partmethod = 'h'`,
  )) as unknown[];
  return rows.length > 0;
}

/** Distributed tables cannot refer to a table of the coordinator. */
async function distribute(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
  await queryRunner.query(
    `SELECT create_distributed_table('budgets', 'household_id', colocate_with => 'cycles')`,
  );
}
