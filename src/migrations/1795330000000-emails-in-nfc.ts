import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * E-mails in Unicode NFC, in which the service looks them up from now on. Of several that become equal the one of the oldest
 * user does, unless another user has it already; the others stay as they are, and the operators' `check` names them.
 */
export class EmailsInNfc1795330000000 implements MigrationInterface {
  name = 'EmailsInNfc1795330000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE users u
      SET email = normalize(u.email, NFC),
        updated_at = greatest(now(), u.updated_at + interval '1 millisecond')
      FROM (
        SELECT DISTINCT ON (normalize(email, NFC)) id FROM users
        WHERE email IS NOT NFC NORMALIZED AND char_length(normalize(email, NFC)) <= 255
        ORDER BY normalize(email, NFC), seq
      ) oldest
      WHERE u.id = oldest.id
        AND NOT EXISTS (SELECT FROM users other WHERE other.email = normalize(u.email, NFC))
    `);
  }

  /** In which form an e-mail was is not stored. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
