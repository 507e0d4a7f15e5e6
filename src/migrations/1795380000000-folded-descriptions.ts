import type { MigrationInterface, QueryRunner } from 'typeorm';

const WHITE_SPACE = String.raw`\u0009-\u000d\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/**
 * What `GET /expenses?q=` searches: the description without the case and the accents of letters,
 * with `ss` for `ß` and one space for white space.
 */
export class FoldedDescriptions1795380000000 implements MigrationInterface {
  name = 'FoldedDescriptions1795380000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Generated, so that the previous version, while it still runs, need not write it.
    await queryRunner.query(`
      ALTER TABLE cycle_expenses ADD folded_description text NOT NULL GENERATED ALWAYS AS (
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
    await queryRunner.query(`ALTER TABLE cycle_expenses DROP folded_description`);
  }
}
