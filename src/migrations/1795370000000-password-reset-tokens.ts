import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PasswordResetTokens1795370000000 implements MigrationInterface {
  name = 'PasswordResetTokens1795370000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE password_reset_tokens (
        household_id uuid NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        user_id uuid NOT NULL,
        token_hash character varying(64) NOT NULL,
        by_operator boolean NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        ended_at TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT uq_password_reset_tokens_token_hash UNIQUE (token_hash, household_id),
        CONSTRAINT pk_password_reset_tokens PRIMARY KEY (household_id, id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_password_reset_tokens_user
      ON password_reset_tokens (household_id, user_id, seq)
    `);
    await queryRunner.query(
      `CREATE INDEX ix_password_reset_tokens_user_id ON password_reset_tokens (user_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX ix_password_reset_tokens_expires_at ON password_reset_tokens (expires_at)`,
    );
    if (await isDistributed(queryRunner)) {
      // Without foreign keys, as `cli distribute` leaves such a table.
      await queryRunner.query(`SELECT create_reference_table('password_reset_tokens')`);
      return;
    }
    for (const [column, table] of [
      ['household_id', 'households'],
      ['user_id', 'users'],
    ]) {
      await queryRunner.query(`
        ALTER TABLE password_reset_tokens
        ADD CONSTRAINT fk_password_reset_tokens_${column} FOREIGN KEY (${column}) REFERENCES ${table}(id) ON DELETE CASCADE ON UPDATE NO ACTION
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE password_reset_tokens`);
  }
}

/** Whether the tables of households are distributed, as `cli distribute` does. */
async function isDistributed(queryRunner: QueryRunner): Promise<boolean> {
  const [catalog] = (await queryRunner.query(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS exists`,
  )) as { exists: boolean }[];
  if (!catalog?.exists) return false;
  const rows = (await queryRunner.query(
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'cycles'::regclass AND partmethod = 'h'`,
  )) as unknown[];
  return rows.length > 0;
}
