import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time zones of users, which decide what day it is for them. */
export class TimeZones1795340000000 implements MigrationInterface {
  name = 'TimeZones1795340000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // With a default that rewrites no row, so that the previous version can insert while it still
    // runs.
    await queryRunner.query(`
      ALTER TABLE users ADD time_zone character varying(64) NOT NULL DEFAULT 'UTC'
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users DROP time_zone`);
  }
}
