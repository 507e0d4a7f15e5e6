import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1795250000000 implements MigrationInterface {
  name = 'Sessions1795250000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sessions (
        household_id uuid NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        user_id uuid NOT NULL,
        user_agent character varying(200),
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        last_refreshed_at TIMESTAMP(3) WITH TIME ZONE,
        expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT pk_sessions PRIMARY KEY (household_id, id)
      )
    `);
    await queryRunner.query(
      `CREATE INDEX ix_sessions_user ON sessions (household_id, user_id, seq)`,
    );
    await queryRunner.query(`CREATE INDEX ix_sessions_user_id ON sessions (user_id)`);
    await queryRunner.query(`CREATE INDEX ix_sessions_expires_at ON sessions (expires_at)`);
    await queryRunner.query(`
      ALTER TABLE sessions
      ADD CONSTRAINT fk_sessions_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE sessions
      ADD CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE users ADD password_changed_at TIMESTAMP(3) WITH TIME ZONE
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users DROP password_changed_at`);
    await queryRunner.query(`DROP TABLE sessions`);
  }
}
