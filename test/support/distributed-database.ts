import { randomUUID } from 'node:crypto';
import { DistributionService } from '../../src/operators/distribution/distribution.service.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { databaseOf } from './database-access.js';
import { onServer, serverSettings, urlOfDatabase } from './database-server.js';

/**
 * The configuration of a node that a test starts. Between the nodes is TLS, which Citus turns on by
 * itself.
 */
export const CITUS_NODE_SETTINGS = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  'citus.shard_count': '4',
  lc_messages: 'C',
  fsync: 'on',
};

export interface CitusDatabase {
  /** At the coordinator. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates an empty database on a Citus coordinator and its workers. */
export async function createCitusDatabase(
  coordinatorUrl: string,
  workerUrls: readonly string[],
): Promise<CitusDatabase> {
  const name = `expense_test_${randomUUID().replaceAll('-', '')}`;
  const servers = [coordinatorUrl, ...workerUrls];
  for (const server of servers) {
    await onServer(server, `CREATE DATABASE ${name}`);
    await onServer(urlOfDatabase(server, name), 'CREATE EXTENSION citus');
  }
  const url = urlOfDatabase(coordinatorUrl, name);
  const { hostname, port } = new URL(url);
  await onServer(url, `SELECT citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workerUrls.map((server) => new URL(server))) {
    await onServer(url, `SELECT citus_add_node('${worker.hostname}', ${worker.port})`);
  }
  return {
    url,
    drop: async () => {
      for (const server of servers) await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Migrates a database of Citus and distributes its tables. */
export async function distribute(url: string): Promise<void> {
  const { dataSource, close } = await openDatabase(serverSettings(url), SCHEMA);
  await new DistributionService(databaseOf(dataSource)).distribute();
  await close();
}
