import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BudgetReferenceOrNullProperty,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import { QueryUuidListField } from '../../platform/dto/query-fields.js';
import { CountProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
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
