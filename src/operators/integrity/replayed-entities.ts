import {
  MoreThan,
  type EntityManager,
  type FindManyOptions,
  type FindOptionsRelations,
  type ObjectType,
} from 'typeorm';
import { IS_COMMENT_ACTION_SQL } from '../../activity/activity-record.entity.js';
import type { Snapshot } from '../../activity/changes.js';
import type { StoredType } from '../../activity/entity-tables.js';
import { incomeTemplateSnapshot } from '../../templates/dto/income-template.dto.js';
import { CycleExpense } from '../../ledger/cycle-expense.entity.js';
import { Cycle } from '../../ledger/cycle.entity.js';
import { CycleIncome } from '../../ledger/cycle-income.entity.js';
import { cycleSnapshot, expenseSnapshot, incomeSnapshot } from '../../ledger/snapshots.js';
import { paymentMethodSnapshot } from '../../payment-methods/dto/payment-method.dto.js';
import { PaymentMethod } from '../../payment-methods/payment-method.entity.js';
import { IncomeTemplate } from '../../templates/income-template.entity.js';
import { templateSnapshot } from '../../templates/dto/template.dto.js';
import { Template } from '../../templates/template.entity.js';
import { replayProblems, type ReplayedRecord } from './replay.js';
import { scopeSql } from './rules.js';

const PAGE_ENTITIES = 500;

interface Source {
  type: StoredType;
  /** A page of entities after an id, ordered by id. */
  page: (manager: EntityManager, afterId: string) => Promise<Entity[]>;
}

interface Entity {
  id: string;
  present: Snapshot;
}

function source<Row extends { id: string }>(
  type: StoredType,
  entity: ObjectType<Row>,
  snapshot: (row: Row) => Snapshot,
  relations: FindOptionsRelations<Row> = {},
): Source {
  return {
    type,
    page: async (manager, afterId) => {
      const rows = await manager.find(entity, {
        where: { id: MoreThan(afterId) },
        relations,
        order: { id: 'ASC' },
        take: PAGE_ENTITIES,
      } as FindManyOptions<Row>);
      return rows.map((row) => ({ id: row.id, present: snapshot(row) }));
    },
  };
}

const SOURCES: readonly Source[] = [
  source('payment_method', PaymentMethod, paymentMethodSnapshot),
  source(
    'recurrent_expense',
    Template,
    (template) => templateSnapshot(template as Parameters<typeof templateSnapshot>[0]),
    { paymentMethod: true },
  ),
  source(
    'recurrent_income',
    IncomeTemplate,
    (template) => incomeTemplateSnapshot(template as Parameters<typeof incomeTemplateSnapshot>[0]),
    { paymentMethod: true },
  ),
  source('cycle', Cycle, cycleSnapshot),
  source('cycle_expense', CycleExpense, (expense) => ({ ...expenseSnapshot(expense) })),
  source('cycle_income', CycleIncome, (income) => ({ ...incomeSnapshot(income) })),
];

/** The problems of entities whose state differs from their replayed activity records. */
export async function* replayEntities(
  manager: EntityManager,
): AsyncGenerator<{ entity: StoredType; id: string; problem: string }> {
  for (const { type, page } of SOURCES) {
    let entities = await page(manager, '00000000-0000-0000-0000-000000000000');
    while (entities.length > 0) {
      const ids = entities.map(({ id }) => id);
      const records = await recordsOf(manager, type, ids);
      for (const { id, present } of entities) {
        for (const problem of replayProblems(present, records.get(id) ?? [])) {
          yield { entity: type, id, problem };
        }
      }
      entities = await page(manager, ids.at(-1) ?? '');
    }
  }
}

/** The activity records of each entity without comments, oldest first, with one index scan per entity. */
async function recordsOf(
  manager: EntityManager,
  type: StoredType,
  ids: readonly string[],
): Promise<Map<string, ReplayedRecord[]>> {
  const rows = await manager.query<(ReplayedRecord & { entity_id: string })[]>(
    `SELECT a.*
     FROM (${scopeSql(type)}) s
     CROSS JOIN LATERAL (
       SELECT id, entity_id, action, changes FROM activity_log
       WHERE household_id = s.household_id AND entity_type = $1 AND entity_id = s.id
         AND NOT ${IS_COMMENT_ACTION_SQL}
       ORDER BY seq
     ) a
     WHERE s.id = ANY($2)`,
    [type, ids],
  );
  const records = new Map<string, ReplayedRecord[]>();
  for (const row of rows) {
    const earlier = records.get(row.entity_id);
    if (earlier) earlier.push(row);
    else records.set(row.entity_id, [row]);
  }
  return records;
}
