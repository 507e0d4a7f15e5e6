/**
 * The data source of the TypeORM CLI: the server of DATABASE_URL, or an in-memory embedded database with all
 * migrations, with which new migrations are compared.
 */
import { ENTITIES } from './src/entities.js';
import { IN_MEMORY_DATA_DIR, loadSettings } from './src/platform/config/settings.js';
import { createDataSource } from './src/platform/database/data-source.js';
import { openEmbeddedDatabase } from './src/platform/embedded-postgres/embedded-database.js';

const { database: settings } = loadSettings({ ...process.env, DATA_DIR: IN_MEMORY_DATA_DIR });
const embedded =
  settings.kind === 'embedded'
    ? await openEmbeddedDatabase({ dataDir: IN_MEMORY_DATA_DIR })
    : undefined;

if (embedded) {
  const migrated = await createDataSource(settings, { entities: ENTITIES, embedded }).initialize();
  await migrated.runMigrations();
  await migrated.destroy();
}

export default createDataSource(settings, { entities: ENTITIES, embedded });
