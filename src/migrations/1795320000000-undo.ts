import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which record of the activity log another one takes back. */
export class Undo1795320000000 implements MigrationInterface {
  name = 'Undo1795320000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Without a default, so that no row is rewritten, and the previous version can insert while it still runs.
    await queryRunner.query(`ALTER TABLE activity_log ADD undoes uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE activity_log DROP undoes`);
  }
}
