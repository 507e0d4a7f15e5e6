import { ApiSchema } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { plainToInstance, Transform } from 'class-transformer';
import { MAX_BUDGETS } from '../../budgets/budget.entity.js';
import { field, UuidField, type FieldOptions } from '../../platform/dto/fields.js';
import {
  HasAtMost,
  HasValidElements,
  IsNotRepeated,
  toElements,
} from '../../platform/dto/list-fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { MoneyProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

@ApiSchema({ name: 'NewBudgetLimit', description: 'What a cycle may spend on a budget' })
export class BudgetLimitDto {
  @UuidField({ example: EXAMPLE_ID.budget, description: 'One of your own budgets, each once' })
  @IsNotRepeated()
  budget_id!: string;

  @MoneyField({ example: '400.00', description: 'In the currency of the budget, greater than 0' })
  limit!: Big;
}

/** A list of 0 to 50 limits of different budgets. */
export const BudgetLimitsField = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: [{ budget_id: EXAMPLE_ID.budget, limit: '400.00' }], ...options },
    { type: [BudgetLimitDto], maxItems: MAX_BUDGETS },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? toElements(value, MAX_BUDGETS, toLimit, ({ budget_id: id }) => id)
        : value,
    ),
    HasAtMost(MAX_BUDGETS),
    HasValidElements(),
  );

const toLimit = (value: object): BudgetLimitDto => plainToInstance(BudgetLimitDto, value);

@ApiSchema({ description: 'What a cycle may spend on a budget' })
export class BudgetLimitResponse {
  @UuidProperty(EXAMPLE_ID.budget, { description: 'The id of the budget' })
  budget_id!: string;

  @MoneyProperty({ example: '400.00', description: 'In the currency of the budget' })
  limit!: string;
}
