import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys1795260000000 implements MigrationInterface {
  name = 'IdempotencyKeys1795260000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        household_id uuid NOT NULL,
        user_id uuid NOT NULL,
        key character varying(255) NOT NULL,
        request_hash character varying(64) NOT NULL,
        status smallint NOT NULL,
        body text,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (household_id, user_id, key)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_idempotency_keys_user_id ON idempotency_keys (user_id)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_idempotency_keys_expires_at ON idempotency_keys (expires_at)
    `);
    await queryRunner.query(`
      ALTER TABLE idempotency_keys
      ADD CONSTRAINT fk_idempotency_keys_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE idempotency_keys
      ADD CONSTRAINT fk_idempotency_keys_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_keys`);
  }
}
