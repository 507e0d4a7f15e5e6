import { ApiExtraModels, ApiProperty, ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Transform } from 'class-transformer';
import { isUUID, ValidateBy } from 'class-validator';
import { BooleanField, EnumField, field, TextField, UuidField } from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import type { Budget, UsedBudget } from '../budget.entity.js';

const NAME = 'Despensa';

/** The filter for what has no budget. */
export const NO_BUDGET = 'none';

@ApiSchema({ description: 'Something that expenses are for, such as groceries' })
export class CreateBudgetDto {
  @TextField({ min: 1, max: 100, example: NAME, description: 'Unique per user' })
  name!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    omittable: true,
    example: 'USD',
    description: 'Of its limits, USD by default; it cannot change',
  })
  currency?: CurrencyCode;

  @MoneyField({
    optional: true,
    example: '400.00',
    description:
      'What a new cycle may spend on it, in its currency, greater than 0; null: no limit',
  })
  limit?: Big | null;
}

@ApiSchema({ description: 'A partial update: omitted fields keep their values' })
export class UpdateBudgetDto extends PartialType(OmitType(CreateBudgetDto, ['currency']), {
  skipNullProperties: false,
}) {
  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListBudgetsQuery {
  @QueryBooleanField({ description: 'Default: both' })
  active?: boolean;
}

/** The budget that a body chooses. */
export const BudgetField = (description: string): PropertyDecorator =>
  UuidField({ optional: true, example: EXAMPLE_ID.budget, description });

/** A filter by budget: `none` for what has none. */
export const BudgetFilterField = (): PropertyDecorator =>
  field(
    {
      omittable: true,
      example: EXAMPLE_ID.budget,
      description: '`none`: without a budget; an unknown budget matches nothing',
    },
    { type: 'string', pattern: '^([0-9A-Fa-f-]{36}|none)$' },
    Transform(({ value }: { value: unknown }) =>
      isUUID(value, 'loose') ? (value as string).toLowerCase() : value,
    ),
    ValidateBy({
      name: 'isUuid',
      validator: {
        validate: (value) => value === NO_BUDGET || isUUID(value, 'loose'),
        defaultMessage: () => `$property must be a UUID or ${NO_BUDGET}`,
      },
    }),
  );

@ApiSchema({ description: 'A budget, embedded in another resource' })
export class BudgetReference {
  @UuidProperty(EXAMPLE_ID.budget, { description: 'The id of the budget' })
  id!: string;

  @TextProperty({ example: NAME, description: 'Unique per user' })
  name!: string;
}

/** A {@link BudgetReference} or null. */
export const BudgetReferenceOrNullProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    ...orNull(BudgetReference),
    description: `${description}; null: none`,
    example: { id: EXAMPLE_ID.budget, name: NAME },
  });

@ApiExtraModels(BudgetReference)
@ApiSchema({ description: 'What expenses are for, and what a new cycle may spend on it' })
export class BudgetResponse extends BudgetReference {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'USD',
    description: 'The currency of its limits',
  })
  currency!: CurrencyCode;

  @MoneyProperty({
    nullable: true,
    example: '400.00',
    description: 'What a new cycle may spend on it, in its currency; null: no limit',
  })
  limit!: string | null;

  @BooleanProperty({ example: true, description: 'false: deleted' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

export const toBudgetReference = (
  budget: Pick<UsedBudget, 'id' | 'name'> | null | undefined,
): BudgetReference | null => (budget ? { id: budget.id, name: budget.name } : null);

export function toBudgetResponse(budget: Budget): BudgetResponse {
  return {
    id: budget.id,
    name: budget.name,
    currency: budget.currency,
    limit: budget.limit && formatMoney(budget.limit),
    active: budget.active,
    created_at: budget.createdAt.toISOString(),
    updated_at: budget.updatedAt.toISOString(),
  };
}
