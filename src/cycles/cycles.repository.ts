import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { EntityManager } from 'typeorm';
import type { CalendarDate } from '../common/calendar-date.js';
import type { UserId } from '../common/user-id.js';
import { OwnedRepository } from '../database/owned-repository.js';
import { Cycle, type CycleStatus } from './cycle.entity.js';
import { COSTS_SQL } from './expense-status.js';

/** A cycle with what its expenses add up to; amounts in USD, with two decimals. */
export interface CycleWithSummary {
  id: string;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  income_amount: string;
  remaining_balance: string;
  status: CycleStatus;
  created_at: Date;
  updated_at: Date;
  total_expenses: string;
  fixed_expenses: string;
  variable_expenses: string;
  expense_count: number;
  paid_count: number;
  pending_count: number;
}

const WITH_SUMMARY = `
  SELECT c.id, c.name, c.start_date, c.end_date, c.income_amount, c.remaining_balance, c.status,
    c.created_at, c.updated_at, s.*
  FROM cycles c
  CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(e.amount_usd), 0.00) AS total_expenses,
      coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'fixed'), 0.00) AS fixed_expenses,
      coalesce(sum(e.amount_usd) FILTER (WHERE e.category = 'variable'), 0.00) AS variable_expenses,
      count(*)::int AS expense_count,
      (count(*) FILTER (WHERE e.paid))::int AS paid_count,
      (count(*) FILTER (WHERE NOT e.paid))::int AS pending_count
    FROM cycle_expenses e
    WHERE e.cycle_id = c.id AND e.active AND ${COSTS_SQL}
  ) s
  WHERE c.user_id = $1 AND c.active`;

@Injectable()
export class CyclesRepository extends OwnedRepository<Cycle> {
  protected readonly entity = Cycle;
  protected override readonly always = { active: true };

  async findWithSummary(
    manager: EntityManager,
    owner: UserId,
    id: string,
  ): Promise<CycleWithSummary | undefined> {
    const [cycle] = await manager.query<CycleWithSummary[]>(`${WITH_SUMMARY} AND c.id = $2`, [
      owner,
      id,
    ]);
    return cycle;
  }

  /** Latest start first. */
  async pageWithSummary(
    manager: EntityManager,
    owner: UserId,
    filter: { status?: CycleStatus },
    page: { offset: number; limit: number },
  ): Promise<{ cycles: CycleWithSummary[]; total: number }> {
    const { status = null } = filter;
    const total = await manager.count(Cycle, {
      where: { userId: owner, active: true, ...(status && { status }) },
    });
    const cycles = await manager.query<CycleWithSummary[]>(
      `${WITH_SUMMARY} AND ($2::cycle_status IS NULL OR c.status = $2)
       ORDER BY c.start_date DESC, c.seq DESC
       LIMIT $3 OFFSET $4`,
      [owner, status, page.limit, page.offset],
    );
    return { cycles, total };
  }

  /** Derives the balance anew from the expenses. It is not part of what `updated_at` tells about. */
  async refreshBalance(manager: EntityManager, cycle: Cycle): Promise<void> {
    const [[written]] = await manager.query<[{ remaining_balance: string }[], number]>(
      `UPDATE cycles SET remaining_balance = income_amount - (
         SELECT coalesce(sum(e.amount_usd), 0) FROM cycle_expenses e
         WHERE e.cycle_id = cycles.id AND e.active AND ${COSTS_SQL}
       )
       WHERE id = $1
       RETURNING remaining_balance`,
      [cycle.id],
    );
    if (written) cycle.remainingBalance = new Big(written.remaining_balance);
  }
}
