import { MigrationExecutor, type EntityManager } from 'typeorm';
import { migrations } from './migrations/index.js';
import { MIGRATION_LOCK } from './open-database.js';

const NAMES = migrations.map(({ name }) => name);

/** The name of the newest migration: what {@link openDatabase} leaves every database at. */
export function newestMigration(): string {
  return NAMES.at(-1) ?? '';
}

/** Whether this version of the service has the migration; a newer version has others. */
export function hasMigration(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * Takes the schema back to what it was after a migration, runs the work and brings the schema, with what
 * the work stored, forward again: within the caller's transaction, so all of it or nothing. What the
 * undone migrations made must be empty, or is lost.
 */
export async function withSchemaOf<Result>(
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
