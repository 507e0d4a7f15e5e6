import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cycles beside the others. */
export class SideCycles1795410000000 implements MigrationInterface {
  name = 'SideCycles1795410000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // With a default that rewrites no row, so that the previous version can insert while it still
    // runs.
    await queryRunner.query(`ALTER TABLE cycles ADD side boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE cycles DROP side`);
  }
}
