import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much there was in a payment method at an instant. */
export class Balances1795390000000 implements MigrationInterface {
  name = 'Balances1795390000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE balances (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        household_id uuid NOT NULL,
        user_id uuid NOT NULL,
        payment_method_id uuid NOT NULL,
        currency currency_code NOT NULL,
        amount numeric(12, 2) NOT NULL,
        stated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        expected numeric(30, 2),
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT pk_balances PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_balances_user_id_stated_at ON balances (user_id, stated_at, seq)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_balances_payment_method_id_stated_at
      ON balances (payment_method_id, stated_at, seq) WHERE active
    `);
    await queryRunner.query(`
      ALTER TABLE balances
      ADD CONSTRAINT fk_balances_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    if (await isDistributed(queryRunner)) await distribute(queryRunner);
    await queryRunner.query(`
      ALTER TABLE balances
      ADD CONSTRAINT fk_balances_payment_method_id FOREIGN KEY (payment_method_id, household_id) REFERENCES payment_methods(id, household_id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE balances`);
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
    `SELECT create_distributed_table('balances', 'household_id', colocate_with => 'cycles')`,
  );
}
