import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiSchema, getSchemaPath, OmitType } from '@nestjs/swagger';
import { Big } from 'big.js';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import {
  DateField,
  EnumField,
  field,
  IsRequired,
  TextField,
  UuidField,
} from '../../platform/dto/fields.js';
import { HasAtMost, HasValidElements, toElements } from '../../platform/dto/list-fields.js';
import { MoneyField, RateField } from '../../platform/dto/money-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { CreateBaseTemplateDto } from '../../templates/dto/base-template.dto.js';

const MAX_CHANGES = 50;
/** How many days ago a change of a template may begin: open entries can be overdue. */
export const MAX_TEMPLATE_CHANGE_DAYS_AGO = 400;
const MAX_RATE = new Big('999999.999999');

const OpField = (op: string): PropertyDecorator =>
  field(
    { description: `Always \`${op}\``, example: op },
    { type: 'string', enum: [op] },
    IsIn([op], { message: `$property must be ${op}` }),
  );

const PaymentMethodField = (): PropertyDecorator =>
  UuidField({
    optional: true,
    example: EXAMPLE_ID.paymentMethod,
    description: 'One of your own, active or not; null: none',
  });

abstract class AddedEntryDto {
  @TextField({ min: 1, max: 255, example: 'Lavadora', description: 'The description' })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyField({ example: '8990.00', description: 'In the currency, greater than 0' })
  amount!: Big;

  @DateField({ example: '2026-02-01', description: 'From today to `free_until`' })
  date!: CalendarDate;

  @PaymentMethodField()
  payment_method_id?: string | null;
}

@ApiSchema({ description: 'One more expense' })
export class WhatIfExpense extends AddedEntryDto {
  @OpField('add_expense')
  op!: 'add_expense';
}

@ApiSchema({ description: 'One more income' })
export class WhatIfIncome extends AddedEntryDto {
  @OpField('add_income')
  op!: 'add_income';
}

/** A template without the variants by recurrence type, which would be a union in a union. */
abstract class AddedTemplateDto extends OmitType(CreateBaseTemplateDto, []) {
  @PaymentMethodField()
  payment_method_id?: string | null;
}

@ApiSchema({ description: 'A recurring expense' })
export class WhatIfExpenseTemplate extends AddedTemplateDto {
  @OpField('add_expense_template')
  op!: 'add_expense_template';
}

@ApiSchema({ description: 'A recurring income' })
export class WhatIfIncomeTemplate extends AddedTemplateDto {
  @OpField('add_income_template')
  op!: 'add_income_template';
}

@ApiSchema({
  description:
    'Another exchange rate: converts the amounts in MXN that count from a day on, also of added entries. If ' +
    'several rates apply to a day, the one with the latest date counts, and of equal dates the last in the list',
})
export class WhatIfExchangeRate {
  @OpField('exchange_rate')
  op!: 'exchange_rate';

  @RateField({ max: MAX_RATE, example: '0.060000', description: 'The value of 1 MXN in USD' })
  rate!: Big;

  @DateField({
    optional: true,
    example: '2026-02-01',
    description: 'From today to `free_until`; today by default',
  })
  from?: CalendarDate | null;
}

const TEMPLATE_FROM = `from ${MAX_TEMPLATE_CHANGE_DAYS_AGO} days before today to \`free_until\``;

const OCCURRENCES =
  'by their `occurrence_date`, the date before the weekend rule: open expenses and incomes of draft and active ' +
  'cycles that nobody has edited, which a synchronization could change, and occurrences of cycles that would follow';

abstract class TemplateChangeDto {
  @UuidField({
    example: EXAMPLE_ID.expenseTemplate,
    description: 'An expense or income template of your own, active or not',
  })
  template_id!: string;
}

@ApiSchema({ description: `Leaves occurrences of a template out, ${OCCURRENCES}` })
export class WhatIfSkippedTemplate extends TemplateChangeDto {
  @OpField('skip_template')
  op!: 'skip_template';

  @DateField({
    example: '2026-02-01',
    description: `The first date that is left out: ${TEMPLATE_FROM}`,
  })
  from!: CalendarDate;

  @DateField({
    example: '2026-03-31',
    notBefore: 'from',
    description: 'The last date that is left out, not before `from`; it may be after `free_until`',
  })
  to!: CalendarDate;
}

@ApiSchema({
  description:
    `Gives occurrences of a template another amount, ${OCCURRENCES}. It takes precedence over the ` +
    '`amount_changes` and the `last_amount` of the template. If several changes apply to an occurrence, the one ' +
    'with the latest date counts, and of equal dates the last in the list; `skip_template` takes ' +
    'precedence. A stored entry whose amount changes is converted at the rate of its date, as in a synchronization',
})
export class WhatIfChangedTemplate extends TemplateChangeDto {
  @OpField('change_template')
  op!: 'change_template';

  @MoneyField({
    example: '650.00',
    description: 'In the currency of the template, greater than 0',
  })
  amount!: Big;

  @DateField({
    example: '2026-02-01',
    description: `The first date that has the amount: ${TEMPLATE_FROM}`,
  })
  from!: CalendarDate;
}

export type AddedTemplateChange = WhatIfExpenseTemplate | WhatIfIncomeTemplate;
export type AdditionDto = WhatIfExpense | WhatIfIncome | AddedTemplateChange;
export type ChangeDto =
  AdditionDto | WhatIfExchangeRate | WhatIfSkippedTemplate | WhatIfChangedTemplate;

const CLASS_OF_OP: Record<ChangeDto['op'], new () => ChangeDto> = {
  add_expense: WhatIfExpense,
  add_income: WhatIfIncome,
  add_expense_template: WhatIfExpenseTemplate,
  add_income_template: WhatIfIncomeTemplate,
  exchange_rate: WhatIfExchangeRate,
  skip_template: WhatIfSkippedTemplate,
  change_template: WhatIfChangedTemplate,
};
const OPS = Object.keys(CLASS_OF_OP);

class UnknownChange {
  @IsRequired()
  @IsIn(OPS, { message: `$property must be one of: ${OPS.join(', ')}` })
  op!: unknown;
}

/** A list of 0 to 50 changes. */
export const ChangesField = (): PropertyDecorator =>
  field(
    {
      optional: true,
      example: [{ op: 'exchange_rate', rate: '0.060000', from: '2026-02-01' }],
      description: 'What would be different; nothing by default',
    },
    {
      type: 'array',
      maxItems: MAX_CHANGES,
      items: {
        oneOf: Object.values(CLASS_OF_OP).map((type) => ({ $ref: getSchemaPath(type) })),
        discriminator: {
          propertyName: 'op',
          mapping: Object.fromEntries(
            Object.entries(CLASS_OF_OP).map(([op, type]) => [op, getSchemaPath(type)]),
          ),
        },
      },
    },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? toElements(value, MAX_CHANGES, toChange) : value,
    ),
    HasAtMost(MAX_CHANGES),
    HasValidElements(),
  );

function toChange(value: object): object {
  const { op } = value as { op?: unknown };
  const isKnown = typeof op === 'string' && Object.hasOwn(CLASS_OF_OP, op);
  if (!isKnown) return plainToInstance<object, object>(UnknownChange, { op });
  return plainToInstance<object, object>(CLASS_OF_OP[op as ChangeDto['op']], value);
}

/** The schemas of the changes. */
export const HasChanges = (): ClassDecorator =>
  applyDecorators(ApiExtraModels(...Object.values(CLASS_OF_OP)));
