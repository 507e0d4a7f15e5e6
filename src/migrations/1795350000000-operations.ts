import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which records of the activity log one request wrote, also where its response is sent again. */
export class Operations1795350000000 implements MigrationInterface {
  name = 'Operations1795350000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Without a default, so that no row is rewritten, and the previous version can insert while it still runs.
    await queryRunner.query(`ALTER TABLE activity_log ADD operation_id uuid`);
    await queryRunner.query(`
      CREATE INDEX ix_activity_log_operation ON activity_log (household_id, operation_id, seq)
    `);
    await queryRunner.query(`ALTER TABLE idempotency_keys ADD operation_id uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE idempotency_keys DROP operation_id`);
    await queryRunner.query(`ALTER TABLE activity_log DROP operation_id`);
  }
}
