import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which transaction wrote a record of the activity log, and which database it belongs to. */
export class Changes1795280000000 implements MigrationInterface {
  name = 'Changes1795280000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Two statements, so that the rows that exist are not rewritten.
    await queryRunner.query(`ALTER TABLE activity_log ADD transaction_id bigint`);
    await queryRunner.query(`
      ALTER TABLE activity_log
      ALTER COLUMN transaction_id SET DEFAULT ((pg_current_xact_id())::text)::bigint
    `);
    await queryRunner.query(`
      CREATE INDEX ix_activity_log_transaction ON activity_log (household_id, transaction_id, seq)
    `);
    // Not exported: a restored database has another identity, and other transaction ids.
    await queryRunner.query(`
      CREATE TABLE database_identity (id uuid PRIMARY KEY DEFAULT gen_random_uuid())
    `);
    await queryRunner.query(`INSERT INTO database_identity DEFAULT VALUES`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE database_identity`);
    await queryRunner.query(`ALTER TABLE activity_log DROP transaction_id`);
  }
}
