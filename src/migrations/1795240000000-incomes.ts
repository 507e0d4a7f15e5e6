import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Incomes1795240000000 implements MigrationInterface {
  name = 'Incomes1795240000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE income_templates (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        description character varying(255) NOT NULL,
        currency currency_code NOT NULL,
        base_amount numeric(12, 2) NOT NULL,
        recurrence_type recurrence_type NOT NULL,
        recurrence_config jsonb NOT NULL DEFAULT '{}',
        reference_date date NOT NULL,
        starts_on date,
        ends_on date,
        weekend_rule weekend_rule NOT NULL DEFAULT 'keep',
        active boolean NOT NULL DEFAULT true,
        household_id uuid NOT NULL,
        user_id uuid NOT NULL,
        payment_method_id uuid,
        CONSTRAINT ck_income_templates_ends_on CHECK (ends_on >= starts_on),
        CONSTRAINT ck_income_templates_base_amount CHECK (base_amount > 0),
        CONSTRAINT "PK_133a684ede88a85c64fbbc3a0cd" PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_income_templates_user_id ON income_templates (household_id, user_id)
    `);
    await queryRunner.query(`
      CREATE TABLE cycle_incomes (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        description character varying(255) NOT NULL,
        currency currency_code NOT NULL,
        amount numeric(12, 2) NOT NULL,
        amount_usd numeric(12, 2) NOT NULL,
        comments character varying(1000),
        active boolean NOT NULL DEFAULT true,
        household_id uuid NOT NULL,
        cycle_id uuid NOT NULL,
        template_id uuid,
        payment_method_id uuid,
        income_date date NOT NULL,
        received boolean NOT NULL DEFAULT false,
        received_at TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT ck_cycle_incomes_received CHECK (received = (received_at IS NOT NULL)),
        CONSTRAINT ck_cycle_incomes_amount_usd CHECK (amount_usd > 0),
        CONSTRAINT ck_cycle_incomes_amount CHECK (amount > 0),
        CONSTRAINT "PK_bb3198a58f983e7099c7675eb49" PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_cycle_incomes_cycle_id_income_date ON cycle_incomes (household_id, cycle_id, income_date, seq)
    `);
    await queryRunner.query(`
      ALTER TABLE income_templates
      ADD CONSTRAINT fk_income_templates_payment_method_id FOREIGN KEY (payment_method_id) REFERENCES payment_methods(id) ON DELETE
      SET NULL ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE income_templates
      ADD CONSTRAINT fk_income_templates_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_incomes
      ADD CONSTRAINT fk_cycle_incomes_payment_method_id FOREIGN KEY (payment_method_id) REFERENCES payment_methods(id) ON DELETE
      SET NULL ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_incomes
      ADD CONSTRAINT fk_cycle_incomes_cycle_id FOREIGN KEY (cycle_id) REFERENCES cycles(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_incomes
      ADD CONSTRAINT fk_cycle_incomes_template_id FOREIGN KEY (household_id, template_id) REFERENCES income_templates(household_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE cycle_incomes, income_templates`);
  }
}
