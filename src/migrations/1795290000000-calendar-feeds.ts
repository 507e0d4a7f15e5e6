import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CalendarFeeds1795290000000 implements MigrationInterface {
  name = 'CalendarFeeds1795290000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE calendar_feeds (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        household_id uuid NOT NULL,
        seq BIGSERIAL NOT NULL,
        user_id uuid NOT NULL,
        name character varying(100) NOT NULL,
        payment_method_id uuid,
        token_hash character varying(64) NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT uq_calendar_feeds_token_hash UNIQUE (token_hash, household_id),
        CONSTRAINT pk_calendar_feeds PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(
      `CREATE INDEX ix_calendar_feeds_user ON calendar_feeds (household_id, user_id, seq)`,
    );
    await queryRunner.query(`CREATE INDEX ix_calendar_feeds_user_id ON calendar_feeds (user_id)`);
    await queryRunner.query(
      `CREATE INDEX ix_calendar_feeds_payment_method_id ON calendar_feeds (payment_method_id)`,
    );
    await queryRunner.query(`
      ALTER TABLE calendar_feeds
      ADD CONSTRAINT fk_calendar_feeds_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE calendar_feeds
      ADD CONSTRAINT fk_calendar_feeds_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE calendar_feeds
      ADD CONSTRAINT fk_calendar_feeds_payment_method_id FOREIGN KEY (payment_method_id) REFERENCES payment_methods(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE calendar_feeds`);
  }
}
