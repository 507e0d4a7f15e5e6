import type { MigrationInterface, QueryRunner } from 'typeorm';

const TEMPLATES = ['expense_templates', 'income_templates'];
const ENTRIES = ['cycle_expenses', 'cycle_incomes'];

/** Amounts of templates that change, dates that they skip, and which instalment an entry is. */
export class TemplateAmounts1795430000000 implements MigrationInterface {
  name = 'TemplateAmounts1795430000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // With defaults that rewrite no row, so that the previous version can insert while it still
    // runs.
    for (const table of TEMPLATES) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD amount_changes jsonb NOT NULL DEFAULT '[]'`,
      );
      await queryRunner.query(`ALTER TABLE ${table} ADD last_amount numeric(12,2)`);
      await queryRunner.query(`ALTER TABLE ${table} ADD skipped_dates jsonb NOT NULL DEFAULT '[]'`);
      await queryRunner.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ck_${table}_last_amount CHECK (last_amount > 0)
      `);
    }
    for (const table of ENTRIES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD instalment jsonb`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ENTRIES) await queryRunner.query(`ALTER TABLE ${table} DROP instalment`);
    for (const table of TEMPLATES) {
      await queryRunner.query(`ALTER TABLE ${table} DROP skipped_dates`);
      await queryRunner.query(`ALTER TABLE ${table} DROP last_amount`);
      await queryRunner.query(`ALTER TABLE ${table} DROP amount_changes`);
    }
  }
}
