import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of incomes whose records have a budget. */
const TABLES = ['income_templates', 'cycle_incomes'];

/** The currency of a budget, and incomes that give back what was spent on one. */
export class BudgetsInPesos1795440000000 implements MigrationInterface {
  name = 'BudgetsInPesos1795440000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Columns that rewrite no row, so that the previous version can insert while it still runs.
    await queryRunner.query(
      `ALTER TABLE budgets ADD currency currency_code NOT NULL DEFAULT 'USD'`,
    );
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD budget_id uuid`);
      await queryRunner.query(`
        ALTER TABLE ${table}
        ADD CONSTRAINT fk_${table}_budget_id FOREIGN KEY (budget_id, household_id) REFERENCES budgets(id, household_id) ON DELETE CASCADE ON UPDATE NO ACTION
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP budget_id`);
    await queryRunner.query(`ALTER TABLE budgets DROP currency`);
  }
}
