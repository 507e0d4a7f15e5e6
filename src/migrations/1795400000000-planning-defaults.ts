import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users choose for forecasts and next cycles. */
export class PlanningDefaults1795400000000 implements MigrationInterface {
  name = 'PlanningDefaults1795400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // With defaults that rewrite no row, so that the previous version can insert while it still
    // runs.
    await queryRunner.query(
      `ALTER TABLE users ADD minimum_balance numeric(11,2) NOT NULL DEFAULT 0`,
    );
    await queryRunner.query(
      `ALTER TABLE users ADD next_income_amount character varying(4) NOT NULL DEFAULT 'same'`,
    );
    await queryRunner.query(`
      ALTER TABLE users ADD CONSTRAINT ck_users_minimum_balance CHECK (minimum_balance >= 0)
    `);
    await queryRunner.query(`
      ALTER TABLE users ADD CONSTRAINT ck_users_next_income_amount
        CHECK (next_income_amount IN ('same', 'zero'))
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users DROP next_income_amount`);
    await queryRunner.query(`ALTER TABLE users DROP minimum_balance`);
  }
}
