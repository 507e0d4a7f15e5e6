import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Comments1795220000000 implements MigrationInterface {
  name = 'Comments1795220000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE comments (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        household_id uuid NOT NULL,
        entity_type character varying(40) NOT NULL,
        entity_id uuid NOT NULL,
        cycle_id uuid,
        author_user_id uuid NOT NULL,
        body text NOT NULL,
        edited_at TIMESTAMP(3) WITH TIME ZONE,
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT "PK_8bf68bc960f2b69e818bdb90dcb" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_comments_cycle ON comments (household_id, cycle_id, seq)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_comments_entity ON comments (
        household_id,
        entity_type,
        entity_id,
        seq
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE comments`);
  }
}
