import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Big } from 'big.js';
import {
  BudgetReferenceOrNullProperty,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import { noRateToPesos } from '../../exchange-rates/conversion.js';
import { QueryUuidListField } from '../../platform/dto/query-fields.js';
import { CountProperty, EnumProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { compareCodePoints, compareText } from '../../platform/values/text.js';
import type { BudgetsOfCycle, SpentOnBudget } from '../budgets.queries.js';
import { ComparedCycleName, MAX_COMPARED_CYCLES } from './cycles-comparison.dto.js';

@ApiSchema({
  description: 'Expenses of a cycle for a budget in its currency, without cancelled ones',
})
export class BudgetSummary {
  @BudgetReferenceOrNullProperty('What the expenses are for')
  budget!: BudgetReference | null;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'USD',
    description: 'Of the amounts: that of the budget, and USD without one',
  })
  currency!: CurrencyCode;

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
    example: '0.00',
    description: 'Incomes for the budget, received or not; `0.00` without a budget',
  })
  refunded_amount!: string;

  @MoneyProperty({
    nullable: true,
    example: '34.40',
    description:
      '`limit` minus `total_amount` plus `refunded_amount`, negative beyond the limit; null without a limit',
  })
  left!: string | null;

  @MoneyProperty({ example: '365.60', description: 'All expenses, in USD' })
  total_amount_usd!: string;

  @CountProperty({ example: 6, description: 'Number of expenses' })
  expense_count!: number;
}

export const ByBudgetProperty = (): PropertyDecorator =>
  ApiProperty({
    type: [BudgetSummary],
    description:
      'Budgets with a limit in the cycle, an expense that is not cancelled or an income, by name; last, where there ' +
      'are some, the expenses without a budget. What is in USD counts for a budget in MXN at the rate in force on ' +
      'its date',
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

/**
 * Each budget with a limit, an expense or a refund, by name, then id; last the expenses without a
 * budget.
 *
 * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount in USD without a stored rate
 */
export function toBudgetSummaries(
  { budgets, limits, refunds }: BudgetsOfCycle,
  spent: readonly SpentOnBudget[],
): BudgetSummary[] {
  if ([...spent, ...refunds].some(({ lacks_rate: lacksRate }) => lacksRate)) throw noRateToPesos();
  const limitOf = new Map(limits.map(({ budget_id: id, limit }) => [id, limit]));
  const refundOf = new Map(refunds.map(({ budget_id: id, amount }) => [id, amount]));
  const spentOn = new Map(spent.map((row) => [row.budget_id, row]));
  const listed = budgets
    .filter(({ id }) => limitOf.has(id) || refundOf.has(id) || spentOn.has(id))
    .toSorted((a, b) => compareCodePoints(a.name, b.name) || compareText(a.id, b.id))
    .map(({ id, name, currency }) =>
      toBudgetSummary({
        budget: { id, name },
        currency,
        limit: limitOf.get(id),
        refunded: refundOf.get(id),
        spent: spentOn.get(id),
      }),
    );
  const withoutBudget = spentOn.get(null);
  if (!withoutBudget) return listed;
  return [...listed, toBudgetSummary({ budget: null, currency: 'USD', spent: withoutBudget })];
}

const NOTHING_SPENT = { total: '0.00', paid: '0.00', total_usd: '0.00', expense_count: 0 };

function toBudgetSummary({
  budget,
  currency,
  limit = null,
  refunded = '0.00',
  spent = NOTHING_SPENT,
}: Pick<BudgetSummary, 'budget' | 'currency'> & {
  limit?: string | null;
  refunded?: string;
  spent?: Omit<SpentOnBudget, 'budget_id' | 'lacks_rate'>;
}): BudgetSummary {
  const { total, paid } = spent;
  return {
    budget,
    currency,
    limit,
    total_amount: total,
    paid_amount: paid,
    pending_amount: formatMoney(new Big(total).minus(paid)),
    refunded_amount: refunded,
    left: limit === null ? null : formatMoney(new Big(limit).minus(total).plus(refunded)),
    total_amount_usd: spent.total_usd,
    expense_count: spent.expense_count,
  };
}
