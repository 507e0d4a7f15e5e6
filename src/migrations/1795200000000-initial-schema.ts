import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InitialSchema1795200000000 implements MigrationInterface {
  name = 'InitialSchema1795200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TYPE currency_code AS ENUM('USD', 'MXN')
    `);
    await queryRunner.query(`
      CREATE TYPE user_role AS ENUM('admin', 'member')
    `);
    await queryRunner.query(`
      CREATE TYPE payment_method_type AS ENUM('debit', 'credit', 'cash', 'transfer')
    `);
    await queryRunner.query(`
      CREATE TYPE expense_category AS ENUM('fixed', 'variable')
    `);
    await queryRunner.query(`
      CREATE TYPE recurrence_type AS ENUM('weekly', 'bi_weekly', 'monthly', 'custom')
    `);
    await queryRunner.query(`
      CREATE TYPE cycle_status AS ENUM('draft', 'active', 'completed')
    `);
    await queryRunner.query(`
      CREATE TYPE expense_status AS ENUM('pending', 'paid', 'cancelled', 'overdue')
    `);
    await queryRunner.query(`
      CREATE TABLE activity_log (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        household_id uuid NOT NULL,
        entity_type character varying(40) NOT NULL,
        entity_id uuid NOT NULL,
        cycle_id uuid,
        actor_user_id uuid NOT NULL,
        action character varying(40) NOT NULL,
        changes jsonb NOT NULL DEFAULT '{}',
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT "PK_067d761e2956b77b14e534fd6f1" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE households (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        name character varying(100) NOT NULL,
        CONSTRAINT "PK_2b1aef2640717132e9231aac756" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE users (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        email character varying(255) NOT NULL,
        password_hash character varying(255) NOT NULL,
        first_name character varying(100),
        last_name character varying(100),
        preferred_currency currency_code NOT NULL DEFAULT 'USD',
        locale character varying(10) NOT NULL DEFAULT 'en-US',
        household_id uuid NOT NULL,
        role user_role NOT NULL,
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT uq_users_email UNIQUE (email),
        CONSTRAINT "PK_a3ffb1c0c8416b9fc6f907b7433" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE payment_methods (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        user_id uuid NOT NULL,
        name character varying(100) NOT NULL,
        method_type payment_method_type NOT NULL,
        default_currency currency_code NOT NULL,
        description character varying(500),
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT uq_payment_methods_user_id_name UNIQUE (user_id, name),
        CONSTRAINT "PK_34f9b8c6dfb4ac3559f7e2820d1" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE expense_templates (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        user_id uuid NOT NULL,
        payment_method_id uuid NOT NULL,
        description character varying(255) NOT NULL,
        currency currency_code NOT NULL,
        base_amount numeric(12, 2) NOT NULL,
        category expense_category NOT NULL,
        recurrence_type recurrence_type NOT NULL,
        recurrence_config jsonb NOT NULL DEFAULT '{}',
        reference_date date NOT NULL,
        autopay_info text,
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT ck_expense_templates_base_amount CHECK (base_amount > 0),
        CONSTRAINT "PK_6182f5140a115ce5e2101902944" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE cycles (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        user_id uuid NOT NULL,
        name character varying(100) NOT NULL,
        start_date date NOT NULL,
        end_date date NOT NULL,
        income_amount numeric(12, 2) NOT NULL DEFAULT '0',
        remaining_balance numeric(24, 2) NOT NULL DEFAULT '0',
        status cycle_status NOT NULL DEFAULT 'draft',
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT ck_cycles_income_amount CHECK (income_amount >= 0),
        CONSTRAINT ck_cycles_dates CHECK (end_date > start_date),
        CONSTRAINT "PK_52e5eeb9c7c6e4ad1aed657967a" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE cycle_expenses (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        seq BIGSERIAL NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        cycle_id uuid NOT NULL,
        template_id uuid,
        payment_method_id uuid NOT NULL,
        description character varying(255) NOT NULL,
        currency currency_code NOT NULL,
        amount numeric(12, 2) NOT NULL,
        amount_usd numeric(12, 2) NOT NULL,
        due_date date NOT NULL,
        category expense_category NOT NULL,
        autopay_info text,
        status expense_status NOT NULL DEFAULT 'pending',
        comments character varying(1000),
        paid boolean NOT NULL DEFAULT false,
        paid_at TIMESTAMP(3) WITH TIME ZONE,
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT ck_cycle_expenses_paid CHECK (
          paid = (status = 'paid')
          AND paid = (paid_at IS NOT NULL)
        ),
        CONSTRAINT ck_cycle_expenses_amount_usd CHECK (amount_usd > 0),
        CONSTRAINT ck_cycle_expenses_amount CHECK (amount > 0),
        CONSTRAINT "PK_10069d48a6a794d8c175dcb4c65" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE TABLE exchange_rates (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        from_currency currency_code NOT NULL,
        to_currency currency_code NOT NULL,
        rate numeric(18, 6) NOT NULL,
        rate_date date NOT NULL,
        created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT uq_exchange_rates_pair_date UNIQUE (from_currency, to_currency, rate_date),
        CONSTRAINT ck_exchange_rates_rate CHECK (rate > 0),
        CONSTRAINT "PK_33a614bad9e61956079d817ebe2" PRIMARY KEY (id)
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_activity_log_cycle ON activity_log (household_id, cycle_id, seq)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_activity_log_entity ON activity_log (
        household_id,
        entity_type,
        entity_id,
        seq
      )
    `);
    await queryRunner.query(`
      CREATE INDEX ix_users_household_id ON users (household_id)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_expense_templates_user_id ON expense_templates (user_id)
    `);
    await queryRunner.query(`
      CREATE INDEX ix_cycles_user_id_start_date ON cycles (user_id, start_date)
    `);
    await queryRunner.query(`
      CREATE UNIQUE INDEX uq_cycles_user_id_name ON cycles (user_id, name)
      WHERE active
    `);
    await queryRunner.query(`
      CREATE INDEX ix_cycle_expenses_cycle_id_due_date ON cycle_expenses (cycle_id, due_date, seq)
    `);
    await queryRunner.query(`
      ALTER TABLE users
      ADD CONSTRAINT fk_users_household_id FOREIGN KEY (household_id) REFERENCES households(id) ON DELETE NO ACTION ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE payment_methods
      ADD CONSTRAINT fk_payment_methods_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE expense_templates
      ADD CONSTRAINT fk_expense_templates_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE expense_templates
      ADD CONSTRAINT fk_expense_templates_payment_method_id FOREIGN KEY (payment_method_id) REFERENCES payment_methods(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycles
      ADD CONSTRAINT fk_cycles_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_expenses
      ADD CONSTRAINT fk_cycle_expenses_cycle_id FOREIGN KEY (cycle_id) REFERENCES cycles(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_expenses
      ADD CONSTRAINT fk_cycle_expenses_template_id FOREIGN KEY (template_id) REFERENCES expense_templates(id) ON DELETE
      SET NULL ON UPDATE NO ACTION
    `);
    await queryRunner.query(`
      ALTER TABLE cycle_expenses
      ADD CONSTRAINT fk_cycle_expenses_payment_method_id FOREIGN KEY (payment_method_id) REFERENCES payment_methods(id) ON DELETE CASCADE ON UPDATE NO ACTION
    `);

    // Append-only is kept by the database itself, not by the code alone.
    await queryRunner.query(`
      CREATE FUNCTION refuse_activity_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'activity_log is append-only: % is refused', TG_OP
          USING ERRCODE = 'insufficient_privilege';
      END
      $$
    `);
    await queryRunner.query(`
      CREATE TRIGGER tr_activity_log_append_only
      BEFORE UPDATE OR DELETE OR TRUNCATE ON activity_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_activity_log_change()
    `);

    // So that both currencies work at once; operators load real rates.
    await queryRunner.query(`
      INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
      VALUES ('MXN', 'USD', 0.050000, '2025-01-01')
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE activity_log, exchange_rates, cycle_expenses, cycles, expense_templates,
        payment_methods, users, households
    `);
    await queryRunner.query(`DROP FUNCTION refuse_activity_log_change`);
    await queryRunner.query(`
      DROP TYPE currency_code, user_role, payment_method_type, expense_category, recurrence_type, cycle_status, expense_status
    `);
  }
}
