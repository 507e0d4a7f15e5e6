import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Big } from 'big.js';
import {
  BudgetReferenceOrNullProperty,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import { QueryUuidListField } from '../../platform/dto/query-fields.js';
import { CountProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import { formatMoney } from '../../platform/values/money.js';
import { compareCodePoints, compareText } from '../../platform/values/text.js';
import { ComparedCycleName, MAX_COMPARED_CYCLES } from './cycles-comparison.dto.js';

@ApiSchema({ description: 'Expenses of a cycle for a budget in USD, without cancelled ones' })
export class BudgetSummary {
  @BudgetReferenceOrNullProperty('What the expenses are for')
  budget!: BudgetReference | null;

  @MoneyProperty({
    nullable: true,
    example: '400.00',
    description: 'What the cycle may spend on it; null: no limit',
  })
  limit!: string | null;

  @MoneyProperty({ example: '365.60', description: 'All expenses' })
  total_amount!: string;

  @MoneyProperty({ example: '182.80', description: 'Paid expenses' })
  paid_amount!: string;

  @MoneyProperty({ example: '182.80', description: 'Expenses that are not paid' })
  pending_amount!: string;

  @MoneyProperty({
    nullable: true,
    example: '34.40',
    description: '`limit` minus `total_amount`, negative beyond the limit; null without a limit',
  })
  left!: string | null;

  @CountProperty({ example: 6, description: 'Number of expenses' })
  expense_count!: number;
}

export const ByBudgetProperty = (): PropertyDecorator =>
  ApiProperty({
    type: [BudgetSummary],
    description:
      'Budgets with a limit in the cycle or an expense that is not cancelled, by name; last, where there are some, ' +
      'the expenses without a budget',
  });

export class BudgetsReportQuery {
  @QueryUuidListField({
    max: MAX_COMPARED_CYCLES,
    description: 'Comma-separated; duplicates are removed',
  })
  cycle_ids!: string[];
}

@ApiSchema({ description: 'The budgets of a cycle' })
class CycleBudgets {
  @ApiProperty({ description: 'The cycle' })
  cycle!: ComparedCycleName;

  @ByBudgetProperty()
  by_budget!: BudgetSummary[];
}

@ApiSchema({ description: 'What cycles spend on budgets' })
export class BudgetsReportResponse {
  @ApiProperty({ type: [CycleBudgets], description: 'In the requested order' })
  cycles!: CycleBudgets[];
}

/** What a cycle may spend on a budget, in USD; the name is null if the budget does not exist. */
export interface NamedLimit {
  budget_id: string;
  budget_name: string | null;
  limit: string;
}

/** The expenses of a cycle that count and have a budget, or none, in USD. */
export interface SpentOnBudget {
  budget_id: string | null;
  budget_name: string | null;
  total: string;
  paid: string;
  pending: string;
  expense_count: number;
}

const NOTHING_SPENT = { total: '0.00', paid: '0.00', pending: '0.00', expense_count: 0 };

/**
 * Each budget with a limit or an expense, by name, then id; last the expenses without a budget.
 */
export function toBudgetSummaries(
  limits: readonly NamedLimit[],
  spent: readonly SpentOnBudget[],
): BudgetSummary[] {
  const limitOf = new Map(limits.map(({ budget_id, limit }) => [budget_id, limit]));
  const isSpent = new Set(spent.map(({ budget_id }) => budget_id));
  const unspent = limits
    .filter(({ budget_id }) => !isSpent.has(budget_id))
    .map(({ budget_id, budget_name }) => ({ budget_id, budget_name, ...NOTHING_SPENT }));
  return [...spent, ...unspent].toSorted(byName).map((row) => {
    const { budget_id: id, budget_name: name, total } = row;
    const limit = limitOf.get(id ?? '') ?? null;
    return {
      budget: id === null || name === null ? null : { id, name },
      limit,
      total_amount: total,
      paid_amount: row.paid,
      pending_amount: row.pending,
      left: limit === null ? null : formatMoney(new Big(limit).minus(total)),
      expense_count: row.expense_count,
    };
  });
}

type Named = Pick<SpentOnBudget, 'budget_id' | 'budget_name'>;

function byName(a: Named, b: Named): number {
  if (a.budget_name === null || b.budget_name === null) {
    return Number(a.budget_name === null) - Number(b.budget_name === null);
  }
  const order = compareCodePoints(a.budget_name, b.budget_name);
  return order === 0 ? compareText(a.budget_id ?? '', b.budget_id ?? '') : order;
}
