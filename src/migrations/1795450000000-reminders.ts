import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users choose for reminders by mail, and what was sent. */
export class Reminders1795450000000 implements MigrationInterface {
  name = 'Reminders1795450000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The defaults rewrite no row, and let the previous version insert while it still runs.
    await queryRunner.query(`
      ALTER TABLE users
        ADD reminders_enabled boolean NOT NULL DEFAULT false,
        ADD reminders_hour smallint NOT NULL DEFAULT 8,
        ADD reminders_days_before smallint NOT NULL DEFAULT 3,
        ADD reminders_confirmed boolean NOT NULL DEFAULT false,
        ADD reminder_links smallint NOT NULL DEFAULT 0,
        ADD reminder_links_since TIMESTAMP(3) WITH TIME ZONE,
        ADD reminded_on date,
        ADD reminded_below_zero boolean NOT NULL DEFAULT false
    `);
    await queryRunner.query(`
      ALTER TABLE users ADD CONSTRAINT ck_users_reminders_hour
        CHECK (reminders_hour BETWEEN 0 AND 23)
    `);
    await queryRunner.query(`
      ALTER TABLE users ADD CONSTRAINT ck_users_reminders_days_before
        CHECK (reminders_days_before BETWEEN 0 AND 14)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_users_reminders ON users (time_zone)
        WHERE reminders_enabled AND reminders_confirmed
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users
        DROP reminders_enabled, DROP reminders_hour, DROP reminders_days_before,
        DROP reminders_confirmed, DROP reminder_links, DROP reminder_links_since,
        DROP reminded_on, DROP reminded_below_zero
    `);
  }
}
