import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { OperatorError } from '../../platform/errors/domain-error.js';
import { ENTITY_TYPES, RECORD_TYPES } from '../../records/record-types.js';

/**
 * Small tables that every household uses, with a copy on every node: a write to one is a write to
 * all nodes.
 */
export const REFERENCE_TABLES: readonly string[] = [
  'households',
  'users',
  'household_invitations',
  'exchange_rates',
  'sessions',
  'personal_access_tokens',
  'password_reset_tokens',
];

/**
 * The tables of a household's records, which have `household_id` in every key. All rows of one are
 * on one node.
 */
export const DISTRIBUTED_TABLES: readonly string[] = [
  ...ENTITY_TYPES.map((type) => RECORD_TYPES[type].table),
  'activity_log',
  'calendar_feeds',
  'idempotency_keys',
];

/**
 * The tables with a trigger for the version before household keys, which cannot use a distributed
 * database.
 */
const FILLED_TABLES: readonly string[] = [
  'payment_methods',
  'expense_templates',
  'cycles',
  'cycle_expenses',
];

/** The database has no Citus extension. */
class NotDistributableError extends OperatorError {}

/** The result of a distribution. */
interface Distribution {
  /**
   * The names of the tables that were distributed or copied to every node; empty if all were
   * before.
   */
  changed: string[];
}

/** Distributes the tables of a Citus database by household (see docs/operations.md). */
@Injectable()
export class DistributionService {
  constructor(private readonly database: Database) {}

  /**
   * Distributes the tables that are not distributed yet, with their rows, in one transaction that
   * locks them.
   *
   * @throws NotDistributableError when the database has no Citus extension
   */
  distribute(): Promise<Distribution> {
    return this.database.systemTransaction(async (manager) => {
      await assertCitus(manager);
      const tables = [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES];
      const changed = await notDistributed(manager, tables);
      if (changed.length === 0) return { changed };
      await manager.query(`SET LOCAL statement_timeout TO 0`);
      // The foreign keys of tables with data are refused once statements have run on several shards
      // in parallel.
      await manager.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
      // The trigger that keeps the activity log append-only needs it.
      await manager.query(`SET LOCAL citus.enable_unsafe_triggers TO on`);
      for (const table of FILLED_TABLES) {
        await manager.query(`DROP FUNCTION IF EXISTS fill_${table}_household_id CASCADE`);
      }
      const foreignKeys = await dropForeignKeys(manager, tables);
      for (const table of changed) {
        await manager.query(
          REFERENCE_TABLES.includes(table)
            ? `SELECT create_reference_table('${table}')`
            : `SELECT create_distributed_table('${table}', 'household_id', colocate_with => '${colocation(table)}')`,
        );
      }
      for (const add of foreignKeys) await manager.query(add);
      return { changed };
    });
  }
}

const colocation = (table: string): string =>
  table === DISTRIBUTED_TABLES[0] ? 'none' : (DISTRIBUTED_TABLES[0] ?? '');

async function assertCitus(manager: EntityManager): Promise<void> {
  const found = await manager.query<object[]>(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (found.length === 0) {
    throw new NotDistributableError(
      'The database has no Citus extension: its tables stay on one server',
    );
  }
}

async function notDistributed(
  manager: EntityManager,
  tables: readonly string[],
): Promise<string[]> {
  const rows = await manager.query<{ name: string }[]>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h' OR repmodel = 't'`,
  );
  const distributed = new Set(rows.map(({ name }) => name));
  return tables.filter((table) => !distributed.has(table));
}

/**
 * Drops the foreign keys of the tables, which Citus accepts only between distributed or reference
 * tables.
 *
 * @returns statements that add them again, except for those of reference tables: a write to such a
 *   table would lock the tables that it refers to, after itself, and deadlock with transactions
 *   that lock them before
 */
async function dropForeignKeys(
  manager: EntityManager,
  tables: readonly string[],
): Promise<string[]> {
  const keys = await manager.query<{ table: string; name: string; definition: string }[]>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
       pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY($1::regclass[])
     ORDER BY conrelid, conname`,
    [tables],
  );
  for (const { table, name } of keys) {
    await manager.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  return keys
    .filter(({ table }) => !REFERENCE_TABLES.includes(table))
    .map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
    );
}
