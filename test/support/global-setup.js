// @ts-check
/**
 * Makes a migrated database once; every test file then starts from a copy of it. On the server of
 * TEST_DATABASE_URL that is a template database, on the embedded engine a snapshot file.
 *
 * It runs the build, because Jest does not compile what it loads here.
 */
import { PGlite } from '@electric-sql/pglite';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** @param {string} path */
const load = (path) => import(new URL(`../../dist/src/${path}`, import.meta.url).href);

/** @type {unknown[]} */
const modules = await Promise.all([load('database/open-database.js'), load('config/settings.js')]);
const [{ openDatabase }, { loadSettings }] =
  /** @type {[typeof import('../../src/database/open-database.js'), typeof import('../../src/config/settings.js')]} */ (
    modules
  );

/** @returns {Promise<void>} */
export default async function globalSetup() {
  const url = process.env.TEST_DATABASE_URL;
  if (url) process.env.TEST_TEMPLATE = await makeTemplateDatabase(url);
  else process.env.TEST_SNAPSHOT = await makeSnapshot();
}

/** @param {string} serverUrl */
async function makeTemplateDatabase(serverUrl) {
  const name = `expense_test_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const { close } = await openDatabase(
    loadSettings({ DATABASE_URL: url.href, AUTH_SECRET: 'of no use here, 32 characters long' })
      .database,
  );
  await close();
  return name;
}

async function makeSnapshot() {
  const folder = mkdtempSync(join(tmpdir(), 'expense-test-'));
  const dataDir = join(folder, 'data');
  const { close } = await openDatabase({ kind: 'embedded', dataDir });
  await close();
  const engine = await PGlite.create(join(dataDir, 'pgdata'));
  const dump = await engine.dumpDataDir('none');
  await engine.close();
  rmSync(dataDir, { recursive: true });
  const file = join(folder, 'snapshot.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  return file;
}
