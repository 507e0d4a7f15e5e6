import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath, PickType } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { plainToInstance, Transform } from 'class-transformer';
import { FeedQuery } from '../../activity/feed.js';
import { ExpenseResponse } from '../../expenses/dto/expense.dto.js';
import { IncomeResponse } from '../../incomes/dto/income.dto.js';
import { EntryTypeProperty } from '../../ledger/dto/entry-type.dto.js';
import {
  PaymentMethodReference,
  toPaymentMethodReference,
} from '../../payment-methods/dto/payment-method.dto.js';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { field, TimestampField, UuidField } from '../../platform/dto/fields.js';
import {
  HasSize,
  HasValidElements,
  IsNotRepeated,
  toElements,
} from '../../platform/dto/list-fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import {
  CountProperty,
  CreatedAtProperty,
  EnumProperty,
  InstantProperty,
  MoneyProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import type { Balance } from '../balance.entity.js';

/** The balances of one request. */
const MAX_STATED = 50;

@ApiSchema({ name: 'StatedBalance', description: 'How much there is in a payment method' })
export class StatedBalanceDto {
  @UuidField({
    example: EXAMPLE_ID.paymentMethod,
    description: 'One of your own, active, each once',
  })
  @IsNotRepeated()
  payment_method_id!: string;

  @MoneyField({
    signed: true,
    example: '18250.40',
    description: 'In the `default_currency` of the payment method; may be below 0',
  })
  amount!: Big;
}

const StatedBalancesField = (): PropertyDecorator =>
  field(
    {
      description: 'Of different payment methods',
      example: [{ payment_method_id: EXAMPLE_ID.paymentMethod, amount: '18250.40' }],
    },
    { type: [StatedBalanceDto], minItems: 1, maxItems: MAX_STATED },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? toElements(value, MAX_STATED, toStated, ({ payment_method_id: id }) => id)
        : value,
    ),
    ...HasSize(MAX_STATED),
    HasValidElements(),
  );

const toStated = (value: object): StatedBalanceDto => plainToInstance(StatedBalanceDto, value);

@ApiSchema({ description: 'How much there is, or was, in payment methods' })
export class CreateBalancesDto {
  @StatedBalancesField()
  balances!: StatedBalanceDto[];

  @TimestampField({
    optional: true,
    example: '2026-01-25T20:11:09-06:00',
    description:
      'When there was so much, now by default; what is up to 5 minutes later than now is taken as now',
  })
  stated_at?: Date | null;
}

export class ListBalancesQuery extends PickType(FeedQuery, ['limit', 'before'] as const) {
  @UuidField({ omittable: true, description: 'An unknown payment method matches nothing' })
  payment_method_id?: string;
}

@ApiExtraModels(PaymentMethodReference)
@ApiSchema({ description: 'How much there was in a payment method' })
export class BalanceResponse {
  @UuidProperty(EXAMPLE_ID.balance, { description: 'The id of the balance' })
  id!: string;

  @ApiProperty({ type: PaymentMethodReference, description: 'Where the money was' })
  payment_method!: PaymentMethodReference;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The `default_currency` that the payment method had, of all amounts',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '18250.40', description: 'How much there was; may be below 0' })
  amount!: string;

  @InstantProperty({ example: EXAMPLE_INSTANT.updated, description: 'When there was so much' })
  stated_at!: string;

  @MoneyProperty({
    nullable: true,
    example: '18600.00',
    description:
      'What there should have been: the balance before, plus what was settled with the payment method after it ' +
      'until `stated_at`, when this one was created; null: there was none before, or one in another currency',
  })
  expected!: string | null;

  @MoneyProperty({
    nullable: true,
    example: '-349.60',
    description: '`amount` minus `expected`: what no expense and no income says; null without it',
  })
  difference!: string | null;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

@ApiSchema({ description: 'An expense that is neither paid nor cancelled' })
class UnsettledExpense extends ExpenseResponse {
  @EntryTypeProperty('cycle_expense')
  entity_type!: 'cycle_expense';
}

@ApiSchema({ description: 'An income that was not received' })
class UnsettledIncome extends IncomeResponse {
  @EntryTypeProperty('cycle_income')
  entity_type!: 'cycle_income';
}

export type UnsettledEntry = UnsettledExpense | UnsettledIncome;

@ApiExtraModels(UnsettledExpense, UnsettledIncome)
@ApiSchema({ description: 'New balances, and what may have been settled already' })
export class CreatedBalancesResponse {
  @ApiProperty({ type: [BalanceResponse], description: 'In the order of the request' })
  balances!: BalanceResponse[];

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [{ $ref: getSchemaPath(UnsettledExpense) }, { $ref: getSchemaPath(UnsettledIncome) }],
    },
    description:
      'The first 20 expenses and incomes of draft and active cycles with these payment methods that are not settled ' +
      'and dated until the day of `stated_at`, by date: they may have been settled already',
    example: [],
  })
  unsettled!: UnsettledEntry[];

  @CountProperty({ example: 0, description: 'How many more there are than in `unsettled`' })
  more!: number;
}

export function toBalanceResponse(balance: Balance): BalanceResponse {
  const difference = balance.difference();
  return {
    id: balance.id,
    payment_method: toPaymentMethodReference(balance.usedPaymentMethod()),
    currency: balance.currency,
    amount: formatMoney(balance.amount),
    stated_at: balance.statedAt.toISOString(),
    expected: balance.expected && formatMoney(balance.expected),
    difference: difference && formatMoney(difference),
    created_at: balance.createdAt.toISOString(),
    updated_at: balance.updatedAt.toISOString(),
  };
}
