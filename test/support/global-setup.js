// @ts-check
/**
 * Creates a migrated database once; every test file starts from a copy of it: of a template
 * database on the server of TEST_DATABASE_URL, or of a snapshot file or a data folder on the
 * embedded engine.
 *
 * It imports the build, because Jest does not compile the imports of a global setup.
 */
import { PGlite } from '@electric-sql/pglite';
import { Logger } from '@nestjs/common';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** @param {string} path */
const load = (path) => import(new URL(`../../dist/src/${path}`, import.meta.url).href);

/** @type {unknown[]} */
const modules = await Promise.all([
  load('platform/database/open-database.js'),
  load('platform/config/settings.js'),
  load('schema.js'),
]);
const [{ openDatabase }, { loadSettings }, { SCHEMA }] =
  /** @type {[typeof import('../../src/platform/database/open-database.js'), typeof import('../../src/platform/config/settings.js'), typeof import('../../src/schema.js')]} */ (
    modules
  );

/** @returns {Promise<void>} */
export default async function globalSetup() {
  Logger.overrideLogger(['warn', 'error']);
  const url = process.env.TEST_DATABASE_URL;
  if (url) process.env.TEST_TEMPLATE = await createTemplateDatabase(url);
  else await createEmbeddedDatabase();
}

/** @param {string} serverUrl */
async function createTemplateDatabase(serverUrl) {
  const name = `expense_test_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const { close } = await openDatabase(
    loadSettings({ DATABASE_URL: url.href, AUTH_SECRET: 'not used by this, 32 characters long' })
      .database,
    SCHEMA,
  );
  await close();
  return name;
}

/**
 * A data folder (TEST_DATA_DIR), and a snapshot file of it (TEST_SNAPSHOT), which an engine in
 * memory loads.
 */
async function createEmbeddedDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'expense-test-'));
  const dataDir = join(folder, 'data');
  const { close } = await openDatabase({ kind: 'embedded', dataDir }, SCHEMA);
  await close();
  const engine = await PGlite.create(join(dataDir, 'pgdata'));
  const dump = await engine.dumpDataDir('none');
  await engine.close();
  const file = join(folder, 'snapshot.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  process.env.TEST_DATA_DIR = dataDir;
  process.env.TEST_SNAPSHOT = file;
}
