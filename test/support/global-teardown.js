// @ts-check
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';

/** @returns {Promise<void>} */
export default async function globalTeardown() {
  const { TEST_DATABASE_URL, TEST_TEMPLATE, TEST_SNAPSHOT } = process.env;
  if (TEST_SNAPSHOT) rmSync(dirname(TEST_SNAPSHOT), { recursive: true });
  if (TEST_DATABASE_URL && TEST_TEMPLATE) {
    const admin = new pg.Client({ connectionString: TEST_DATABASE_URL });
    await admin.connect();
    await admin.query(`DROP DATABASE ${TEST_TEMPLATE}`);
    await admin.end();
  }
}
