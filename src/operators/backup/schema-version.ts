import { MigrationExecutor, type EntityManager } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { MIGRATION_LOCK } from '../../platform/database/open-database.js';

const NAMES = MIGRATIONS.map(({ name }) => name);

/** The name of the newest migration, to which every database is migrated. */
export function newestMigration(): string {
  return NAMES.at(-1) ?? '';
}

/** Whether this version of the service includes the migration. */
export function hasMigration(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * Reverts the schema to a migration, runs the callback and migrates forward again, with the rows
 * that the callback stored, all in the caller's transaction. Tables of the reverted migrations must
 * be empty, or their rows are lost.
 */
export async function withSchemaAt<Result>(
  manager: EntityManager,
  migration: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const executor = new MigrationExecutor(manager.dataSource, manager.queryRunner);
  executor.transaction = 'none';
  for (let at = NAMES.length - 1; NAMES[at] !== migration; at -= 1) {
    await executor.undoLastMigration();
  }
  const result = await work();
  await executor.executePendingMigrations();
  return result;
}
