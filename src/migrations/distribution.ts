import type { QueryRunner } from 'typeorm';

/**
 * Distributes a new table of households with the others, where `cli distribute` has distributed
 * them; to be called before the table gets a foreign key to one of them, because distributed tables
 * cannot refer to a table of the coordinator.
 */
export async function distributeWithOthers(queryRunner: QueryRunner, table: string): Promise<void> {
  const [catalog] = (await queryRunner.query(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS exists`,
  )) as { exists: boolean }[];
  if (!catalog?.exists) return;
  const rows = (await queryRunner.query(
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'cycles'::regclass AND partmethod = 'h'`,
  )) as unknown[];
  if (rows.length === 0) return;
  await queryRunner.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
  await queryRunner.query(
    `SELECT create_distributed_table('${table}', 'household_id', colocate_with => 'cycles')`,
  );
}
