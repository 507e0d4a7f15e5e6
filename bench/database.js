// @ts-check
/** Temporary databases on a PostgreSQL server, migrated by the build and seeded. */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { seed } from './seed.js';

/** Runs this program again with a temporary PostgreSQL server. @returns {number} the exit code */
export function rerunWithServer() {
  const run = 'DATABASE_URL="$TEST_DATABASE_URL" exec "$0" "$@"';
  const { status } = spawnSync('.ci/with-postgres', ['sh', '-c', run, ...process.argv], {
    stdio: 'inherit',
    env: { ...process.env, POSTGRES_FSYNC: 'on' },
  });
  return status ?? 1;
}

/**
 * Creates a database, passes it to a function and drops it afterwards.
 *
 * @template Result
 * @param {string} serverUrl
 * @param {import('./seed.js').Population[]} populations
 * @param {(url: string) => Promise<Result>} work
 */
export async function withDatabase(serverUrl, populations, work) {
  const name = `bench_${process.pid}_${Date.now()}`;
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await onConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  try {
    await migrate(url);
    await onConnection(url, async (client) => {
      for (const population of populations) await seed(client, population);
      await client.query('VACUUM ANALYZE');
      await client.query('CHECKPOINT');
    });
    return await work(url);
  } finally {
    await onConnection(serverUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

/**
 * @template Result
 * @param {string} url
 * @param {(client: pg.Client) => Promise<Result>} work
 */
export async function onConnection(url, work) {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * An embedded database in a new folder, migrated by the build and seeded.
 *
 * @param {string} dataDir
 * @param {import('./seed.js').Population} population
 * @param {(client: pg.ClientBase) => Promise<void>} [fill] adds other data
 */
export async function makeEmbeddedDatabase(dataDir, population, fill) {
  const { pool, close } = await open({ kind: 'embedded', dataDir });
  const client = await pool.connect();
  await seed(client, population);
  await fill?.(client);
  await client.query('VACUUM ANALYZE');
  client.release();
  await close();
}

/**
 * Expects the operators' check to find no problem after the load.
 *
 * @param {{ DATABASE_URL: string } | { DATA_DIR: string }} database
 */
export function assertIntegrity(database) {
  console.log('Checking the data ...');
  const command = ['dist/src/operators/cli/main.js', 'check'];
  const env = { ...process.env, DATABASE_URL: '', ...database };
  const { status, stdout } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The load left wrong data behind:\n${stdout}`);
}

/** @param {string} url */
async function migrate(url) {
  const { loadSettings } =
    /** @type {typeof import('../src/platform/config/settings.js')} */
    (await load('platform/config/settings.js'));
  const { close } = await open(loadSettings({ DATABASE_URL: url }).database);
  await close();
}

/**
 * Opens and migrates a database with the build.
 *
 * @param {import('../src/platform/config/settings.js').DatabaseSettings} settings
 */
async function open(settings) {
  const [{ openDatabase }, { SCHEMA }] =
    /** @type {[typeof import('../src/platform/database/open-database.js'), typeof import('../src/schema.js')]} */ (
      await Promise.all([load('platform/database/open-database.js'), load('schema.js')])
    );
  return openDatabase(settings, SCHEMA);
}

/** Imports a module of the build. @param {string} path @returns {Promise<unknown>} */
function load(path) {
  return import(pathToFileURL(`dist/src/${path}`).href);
}
