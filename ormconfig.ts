/**
 * The data source for TypeORM's command line: the server of DATABASE_URL, or an embedded database in
 * memory with all migrations run, which is what generating the next migration compares with.
 */
import { IN_MEMORY, loadSettings } from './src/config/settings.js';
import { createDataSource } from './src/database/data-source.js';
import { openEmbeddedDatabase } from './src/database/embedded/embedded-database.js';

const { database: settings } = loadSettings({ ...process.env, DATA_DIR: IN_MEMORY });
const embedded =
  settings.kind === 'embedded' ? await openEmbeddedDatabase({ dataDir: IN_MEMORY }) : undefined;

if (embedded) {
  const migrated = await createDataSource(settings, embedded).initialize();
  await migrated.runMigrations();
  await migrated.destroy();
}

export default createDataSource(settings, embedded);
