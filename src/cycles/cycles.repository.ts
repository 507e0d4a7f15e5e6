import { Injectable } from '@nestjs/common';
import type { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import type { Instant } from '../common/instant.js';
import type { UserId } from '../common/user-id.js';
import { runAtCommit } from '../database/at-commit.js';
import { OwnedRepository } from '../database/owned-repository.js';
import { Cycle, type CycleStatus } from './cycle.entity.js';
import { BALANCE_SQL, SUMS_SQL, type CycleSums } from './balance.js';
import { COSTS_SQL } from './expense-status.js';

/** A cycle with what its expenses add up to; amounts in USD, with two decimals. */
export interface CycleWithSummary extends CycleSums {
  id: string;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  remaining_balance: string;
  status: CycleStatus;
  created_at: Instant;
  updated_at: Instant;
}

/** What cycle `c` adds up to. */
const SUMMARY = `
  SELECT ${SUMS_SQL}
  FROM cycle_expenses e
  WHERE e.cycle_id = c.id AND e.active AND ${COSTS_SQL}`;

const COLUMNS = `c.id, c.name, c.start_date, c.end_date, c.income_amount, c.remaining_balance,
  c.status, c.created_at, c.updated_at`;

/** $1 the owner, $2 the cycle. */
const FIND = `
  SELECT ${COLUMNS}, s.* FROM cycles c CROSS JOIN LATERAL (${SUMMARY}) AS s
  WHERE c.user_id = $1 AND c.active AND c.id = $2`;

/** $1 the owner, $2 the status or null for all, $3 and $4 the page. A row without a cycle for an empty one. */
const PAGE = `
  WITH wanted AS (
    SELECT * FROM cycles c
    WHERE c.user_id = $1 AND c.active AND ($2::cycle_status IS NULL OR c.status = $2)
  ), page AS (
    SELECT * FROM wanted ORDER BY start_date DESC, seq DESC LIMIT $3 OFFSET $4
  )
  SELECT t.total, ${COLUMNS}, s.*
  FROM (SELECT count(*)::int AS total FROM wanted) AS t
  LEFT JOIN (page AS c CROSS JOIN LATERAL (${SUMMARY}) AS s) ON true
  ORDER BY c.start_date DESC, c.seq DESC`;

@Injectable()
export class CyclesRepository extends OwnedRepository<Cycle> {
  protected readonly entity = Cycle;
  protected override readonly always = { active: true };

  async findWithSummary(
    manager: EntityManager,
    owner: UserId,
    id: string,
  ): Promise<CycleWithSummary | undefined> {
    const [cycle] = await manager.query<CycleWithSummary[]>(FIND, [owner, id]);
    return cycle;
  }

  /** Latest start first. */
  async pageWithSummary(
    manager: EntityManager,
    owner: UserId,
    { status = null }: { status?: CycleStatus | null },
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ cycles: CycleWithSummary[]; total: number }> {
    const rows = await manager.query<((CycleWithSummary | { id: null }) & { total: number })[]>(
      PAGE,
      [owner, status, limit, offset],
    );
    return { cycles: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
  }

  /** Derives the balance anew from the expenses. It is not part of what `updated_at` tells about. */
  async refreshBalance(manager: EntityManager, cycle: Pick<Cycle, 'id'>): Promise<void> {
    await manager.query(`UPDATE cycles SET remaining_balance = ${BALANCE_SQL} WHERE id = $1`, [
      cycle.id,
    ]);
  }

  /**
   * Has so much more of a locked cycle's balance spent when the transaction commits; USD, less than nothing
   * to give it back. It is not part of what `updated_at` tells about.
   */
  spendAtCommit(manager: EntityManager, cycle: Pick<Cycle, 'id'>, cost: Big): Promise<void> {
    return runAtCommit(
      manager,
      'UPDATE cycles SET remaining_balance = remaining_balance - $2 WHERE id = $1',
      [cycle.id, cost.toFixed(2)],
    );
  }
}
