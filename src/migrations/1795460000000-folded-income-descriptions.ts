import type { MigrationInterface, QueryRunner } from 'typeorm';

const WHITE_SPACE = String.raw`\u0009-\u000d\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/** What `GET /incomes?q=` searches: the descriptions of incomes as those of expenses are stored. */
export class FoldedIncomeDescriptions1795460000000 implements MigrationInterface {
  name = 'FoldedIncomeDescriptions1795460000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Generated, so that the previous version, while it still runs, need not write it.
    await queryRunner.query(`
      ALTER TABLE cycle_incomes ADD folded_description text NOT NULL GENERATED ALWAYS AS (
        lower(replace(replace(translate(
          regexp_replace(
            regexp_replace(normalize(description, NFD), '[\\u0300-\\u036f]', '', 'g'),
            '[${WHITE_SPACE}]|[ ${WHITE_SPACE}]{2,}', ' ', 'g'
          ),
          'ØøŁłĐđĦħ', 'OoLlDdHh'
        ), 'ß', 'ss'), 'ẞ', 'ss'))
      ) STORED
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE cycle_incomes DROP folded_description`);
  }
}
