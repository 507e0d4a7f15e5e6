import type { MigrationInterface, QueryRunner } from 'typeorm';
import { distributeWithOthers } from './distribution.js';

/** When the statements of cards close and are due, and what users say of them. */
export class Cards1795420000000 implements MigrationInterface {
  name = 'Cards1795420000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE card_statements (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        household_id uuid NOT NULL,
        user_id uuid NOT NULL,
        payment_method_id uuid NOT NULL,
        first_date date NOT NULL,
        closing_date date NOT NULL,
        due_date date NOT NULL,
        stated_amount numeric(12, 2),
        amount numeric(30, 2),
        paid boolean NOT NULL DEFAULT false,
        paid_at TIMESTAMP(3) WITH TIME ZONE,
        paid_amount numeric(30, 2),
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT pk_card_statements PRIMARY KEY (id, household_id)
      )
    `);
    await queryRunner.query(`
      CREATE UNIQUE INDEX uq_card_statements_closing_date
      ON card_statements (payment_method_id, closing_date, household_id) WHERE active
    `);
    await queryRunner.query(`
      CREATE INDEX ix_card_statements_user_id ON card_statements (user_id)
    `);
    await queryRunner.query(`
      ALTER TABLE card_statements
      ADD CONSTRAINT fk_card_statements_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await distributeWithOthers(queryRunner, 'card_statements');
    await queryRunner.query(`
      ALTER TABLE card_statements
      ADD CONSTRAINT fk_card_statements_payment_method_id FOREIGN KEY (payment_method_id, household_id) REFERENCES payment_methods(id, household_id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    // With defaults that rewrite no row, so that the previous version can insert while it still
    // runs.
    await queryRunner.query(`
      ALTER TABLE payment_methods
        ADD closing_day smallint,
        ADD due_day smallint,
        ADD due_days_after smallint,
        ADD due_weekend_rule weekend_rule NOT NULL DEFAULT 'keep',
        ADD first_closing_date date,
        ADD autopay boolean NOT NULL DEFAULT false,
        ADD paid_from_id uuid
    `);
    await queryRunner.query(`
      ALTER TABLE payment_methods
      ADD CONSTRAINT fk_payment_methods_paid_from_id FOREIGN KEY (paid_from_id, household_id) REFERENCES payment_methods(id, household_id) ON DELETE NO ACTION ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED
    `);
    await queryRunner.query(`
      CREATE INDEX ix_payment_methods_paid_from_id ON payment_methods (paid_from_id)
      WHERE paid_from_id IS NOT NULL
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE card_statements`);
    await queryRunner.query(`
      ALTER TABLE payment_methods
        DROP closing_day, DROP due_day, DROP due_days_after, DROP due_weekend_rule,
        DROP first_closing_date, DROP autopay, DROP paid_from_id
    `);
  }
}
