import { describe, expect, it } from '@jest/globals';
import { DISTRIBUTED_TABLES } from '../../../../src/operators/distribution/distribution.service.js';
import {
  namesOfOperations,
  statementsOf,
  type Statement,
} from '../../../support/operation-statements.js';
import { createSampleEntities } from '../../../support/sample-entities.js';
import { useService } from '../../../support/service.js';
import { isDistributed } from '../../../support/test-database.js';

/** Statements that begin, end or configure a transaction have no plan. */
const HAS_PLAN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** They write to tables that all households share, of which Citus keeps a copy on every node. */
const WRITES_TO_SHARED_TABLES = /(auth|households)\//;

const SEQUENTIAL_SCAN = new RegExp(`Seq Scan on (${DISTRIBUTED_TABLES.join('|')})\\b`);

describe('every statement of an operation', () => {
  const service = useService();

  /**
   * The plan with the parameters of the statement, sequential scans only where no index can serve
   * it.
   */
  const planOf = ({ sql, parameters }: Statement): Promise<string> =>
    service.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL enable_seqscan TO off`);
      const rows = await manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`, parameters);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

  /** The transactions that Citus has committed on several nodes. */
  const commitsOnSeveralNodes = async (): Promise<unknown[]> =>
    isDistributed ? service.query('SELECT gid FROM pg_dist_transaction ORDER BY gid') : [];

  it(
    isDistributed
      ? 'every statement of an operation is one task on one shard'
      : 'every statement of an operation uses indexes',
    async () => {
      const entities = await createSampleEntities(service);
      const bad: string[][] = [];
      let plans = 0;
      for (const name of namesOfOperations(service)) {
        const before = await commitsOnSeveralNodes();
        const { statements } = await statementsOf(name, service, entities);
        const after = await commitsOnSeveralNodes();
        if (!WRITES_TO_SHARED_TABLES.test(name)) expect([name, after]).toEqual([name, before]);
        for (const statement of statements.filter(({ sql }) => HAS_PLAN.test(sql))) {
          const plan = await planOf(statement);
          const tasks = Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) =>
            Number(count),
          );
          plans += 1;
          if (tasks.some((count) => count > 1) || SEQUENTIAL_SCAN.test(plan)) {
            bad.push([name, statement.sql, plan]);
          }
        }
      }
      expect(bad).toEqual([]);
      expect(plans).toBeGreaterThan(150);
    },
  );
});
