import type { MigrationInterface, QueryRunner } from 'typeorm';

export class HouseholdInvitations1795210000000 implements MigrationInterface {
  name = 'HouseholdInvitations1795210000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE household_invitations (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        household_id uuid NOT NULL,
        created_by uuid NOT NULL,
        code_hash character varying(64) NOT NULL,
        expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT uq_household_invitations_code_hash UNIQUE (code_hash),
        CONSTRAINT "PK_0cdfc7104136992d26e6fe584d9" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_household_invitations_household_id ON household_invitations (household_id)
    `);
    await queryRunner.query(`
      ALTER TABLE household_invitations
      ADD CONSTRAINT fk_household_invitations_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE household_invitations
      ADD CONSTRAINT fk_household_invitations_created_by FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE household_invitations`);
  }
}
