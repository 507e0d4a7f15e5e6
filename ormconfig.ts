/**
 * The data source of the TypeORM CLI: an in-memory embedded database with all migrations, with which
 * new migrations are compared.
 */
import { openEmbeddedDatabase } from '#embedded-postgres';
import { IN_MEMORY_DATA_DIR, loadSettings } from './src/platform/config/settings.js';
import { createDataSource } from './src/platform/database/data-source.js';
import { emptyClusterArchive } from './src/platform/database/empty-cluster-archive.js';
import { SCHEMA } from './src/schema.js';

const { database: settings } = loadSettings({ DATA_DIR: IN_MEMORY_DATA_DIR });
const embedded = await openEmbeddedDatabase({
  dataDir: IN_MEMORY_DATA_DIR,
  emptyCluster: emptyClusterArchive(),
});

const migrated = await createDataSource(settings, SCHEMA, embedded).initialize();
await migrated.runMigrations();
// Generated columns belong to no entity, because TypeORM needs a table of its own for them.
await migrated.query('ALTER TABLE cycle_expenses DROP folded_description');
await migrated.query('ALTER TABLE cycle_incomes DROP folded_description');
await migrated.destroy();

export default createDataSource(settings, SCHEMA, embedded);
