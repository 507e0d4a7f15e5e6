import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alarms of the events of a calendar feed, and when a feed was changed. */
export class CalendarAlarms1795320300000 implements MigrationInterface {
  name = 'CalendarAlarms1795320300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // With defaults that rewrite no row, so that the previous version can insert while it still runs.
    await queryRunner.query(`
      ALTER TABLE calendar_feeds
        ADD alarm_days smallint,
        ADD updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE calendar_feeds DROP alarm_days, DROP updated_at`);
  }
}
