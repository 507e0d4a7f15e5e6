/**
 * The data source of the TypeORM CLI: the server of DATABASE_URL, or an in-memory embedded database
 * with all migrations, with which new migrations are compared.
 */
import { openEmbeddedDatabase } from '#embedded-postgres';
import { IN_MEMORY_DATA_DIR, loadSettings } from './src/platform/config/settings.js';
import { createDataSource } from './src/platform/database/data-source.js';
import { emptyClusterArchive } from './src/platform/database/empty-cluster-archive.js';
import { SCHEMA } from './src/schema.js';

const { database: settings } = loadSettings({ ...process.env, DATA_DIR: IN_MEMORY_DATA_DIR });
const embedded =
  settings.kind === 'embedded'
    ? await openEmbeddedDatabase({
        dataDir: IN_MEMORY_DATA_DIR,
        emptyCluster: emptyClusterArchive(),
      })
    : undefined;

if (embedded) {
  const migrated = await createDataSource(settings, SCHEMA, embedded).initialize();
  await migrated.runMigrations();
  await migrated.destroy();
}

export default createDataSource(settings, SCHEMA, embedded);
