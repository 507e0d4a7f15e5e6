import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PersonalAccessTokens1795310000000 implements MigrationInterface {
  name = 'PersonalAccessTokens1795310000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TYPE token_access AS ENUM ('read', 'write')`);
    await queryRunner.query(`
      CREATE TABLE personal_access_tokens (
        household_id uuid NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        user_id uuid NOT NULL,
        name character varying(100) NOT NULL,
        access token_access NOT NULL,
        token_hash character varying(64) NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        last_used_at TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT uq_personal_access_tokens_token_hash UNIQUE (token_hash, household_id),
        CONSTRAINT pk_personal_access_tokens PRIMARY KEY (household_id, id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_personal_access_tokens_user
      ON personal_access_tokens (household_id, user_id, seq)
    `);
    await queryRunner.query(
      `CREATE INDEX ix_personal_access_tokens_user_id ON personal_access_tokens (user_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX ix_personal_access_tokens_expires_at ON personal_access_tokens (expires_at)`,
    );
    await queryRunner.query(`
      ALTER TABLE personal_access_tokens
      ADD CONSTRAINT fk_personal_access_tokens_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE personal_access_tokens
      ADD CONSTRAINT fk_personal_access_tokens_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE personal_access_tokens`);
    await queryRunner.query(`DROP TYPE token_access`);
  }
}
