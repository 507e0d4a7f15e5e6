import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RulesThatEnd1795230000000 implements MigrationInterface {
  name = 'RulesThatEnd1795230000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TYPE weekend_rule AS ENUM ('keep', 'before', 'after')`);
    await queryRunner.query(`
      ALTER TABLE expense_templates
        ADD starts_on date,
        ADD ends_on date,
        ADD weekend_rule weekend_rule NOT NULL DEFAULT 'keep',
        ADD CONSTRAINT ck_expense_templates_ends_on CHECK (ends_on >= starts_on)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE expense_templates DROP starts_on, DROP ends_on, DROP weekend_rule
    `);
    await queryRunner.query(`DROP TYPE weekend_rule`);
  }
}
