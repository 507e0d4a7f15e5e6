import type { MigrationInterface, QueryRunner } from 'typeorm';

const ENTRY_TABLES = ['cycle_expenses', 'cycle_incomes'];

/**
 * Which records of the activity log one request wrote, also where its response is sent again, and
 * which values of entries a synchronization set.
 */
export class Operations1795350000000 implements MigrationInterface {
  name = 'Operations1795350000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Columns without a default, so that no row is rewritten, and the previous version can insert
    // while it still runs.
    await queryRunner.query(`ALTER TABLE activity_log ADD operation_id uuid`);
    await queryRunner.query(`
      CREATE INDEX ix_activity_log_operation ON activity_log (household_id, operation_id, seq)
      WHERE operation_id IS NOT NULL
    `);
    await queryRunner.query(`ALTER TABLE idempotency_keys ADD operation_id uuid`);
    for (const table of ENTRY_TABLES) {
      await queryRunner.query(`
        ALTER TABLE ${table} ADD generated_operation_id uuid, ADD plan_unknown boolean
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ENTRY_TABLES) {
      await queryRunner.query(`
        ALTER TABLE ${table} DROP generated_operation_id, DROP plan_unknown
      `);
    }
    await queryRunner.query(`ALTER TABLE idempotency_keys DROP operation_id`);
    await queryRunner.query(`ALTER TABLE activity_log DROP operation_id`);
  }
}
