import { ApiProperty } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import {
  BudgetFilterField,
  BudgetReferenceOrNullProperty,
  toBudgetReference,
  type BudgetReference,
} from '../../budgets/dto/budget.dto.js';
import { Agrees } from '../../platform/dto/field-validators.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IsRequired,
  TextField,
  type FieldOptions,
} from '../../platform/dto/fields.js';
import { DateListField } from '../../platform/dto/list-fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import {
  BooleanProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { formatMoney } from '../../platform/values/money.js';
import { WEEKEND_RULES, type WeekendRule } from '../../platform/values/weekend-rule.js';
import type { BaseTemplate } from '../base-template.entity.js';
import { MAX_SKIPPED_DATES } from '../recurrence/planned-schedule.js';
import {
  RECURRENCE_TYPES,
  type RecurrenceConfig,
  type RecurrenceType,
} from '../recurrence/recurrence.js';
import { lastAmountProblems } from '../recurrence-validation.js';
import {
  AmountChangeResponse,
  AmountChangesField,
  type AmountChangeDto,
} from './amount-change.dto.js';
import { configClassOf, HasRecurrence, RecurrenceConfigProperty } from './recurrence-config.dto.js';

const LAST_AMOUNT =
  'The amount of the last occurrence that is not skipped, whatever `amount_changes` has; only with `ends_on`; null: as ' +
  'the others';

const SKIPPED_DATES = 'Dates before the weekend rule that have no occurrence, ascending, each once';

const SkippedDatesField = (options: FieldOptions): PropertyDecorator =>
  DateListField({
    max: MAX_SKIPPED_DATES,
    example: ['2026-07-01'],
    description: `${SKIPPED_DATES}; a list replaces the one before`,
    ...options,
  });

/** The fields that a new expense or income template has in common. */
@HasRecurrence()
export class CreateBaseTemplateDto {
  @TextField({
    min: 1,
    max: 255,
    example: 'Renta Mérida',
    description: 'The description of what is generated',
  })
  description!: string;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyField({
    example: '9850.00',
    description:
      'The amount of each occurrence, in the currency of the template, greater than 0, at most 2 decimals',
  })
  base_amount!: Big;

  @AmountChangesField({ optional: true })
  amount_changes?: AmountChangeDto[] | null;

  // Decorators run from the last to the first: the amount itself is checked before.
  @Agrees(lastAmountProblems)
  @MoneyField({ optional: true, example: '10342.55', description: LAST_AMOUNT })
  last_amount?: Big | null;

  @EnumField(RECURRENCE_TYPES, 'RecurrenceType', {
    example: 'monthly',
    description: 'The type of the recurrence rule',
  })
  recurrence_type!: RecurrenceType;

  @RecurrenceConfigProperty()
  @IsRequired()
  @IsObject()
  @ValidateNested()
  @Type((options) => configClassOf((options?.object as CreateBaseTemplateDto).recurrence_type))
  recurrence_config!: object;

  @DateField({
    description: 'A known occurrence, from which `bi_weekly` and `custom` count',
    example: '2025-01-01',
  })
  reference_date!: CalendarDate;

  @DateField({
    optional: true,
    description: 'No occurrence is dated before it; null: no limit',
    example: '2025-06-01',
  })
  starts_on?: CalendarDate | null;

  @DateField({
    optional: true,
    notBefore: 'starts_on',
    description: 'No occurrence is dated after it, as for instalments; null: no limit',
    example: '2026-05-31',
  })
  ends_on?: CalendarDate | null;

  @SkippedDatesField({ optional: true })
  skipped_dates?: CalendarDate[] | null;

  @EnumField(WEEKEND_RULES, 'WeekendRule', {
    optional: true,
    description:
      'How an occurrence on a Saturday or Sunday is moved: `keep` (default) keeps the date, `before` ' +
      'moves it to the Friday before, `after` to the Monday after',
    example: 'before',
  })
  weekend_rule?: WeekendRule | null;
}

/** The fields of a creation that an update has otherwise. */
export const UPDATED_TEMPLATE_FIELDS = [
  'weekend_rule',
  'amount_changes',
  'last_amount',
  'skipped_dates',
] as const;

/** These fields, and those that an update alone has. */
export class UpdatedTemplateFields {
  @EnumField(WEEKEND_RULES, 'WeekendRule', {
    omittable: true,
    example: 'before',
    description: 'How an occurrence on a Saturday or Sunday is moved',
  })
  weekend_rule?: WeekendRule;

  @AmountChangesField({ omittable: true })
  amount_changes?: AmountChangeDto[];

  @MoneyField({ optional: true, example: '10342.55', description: LAST_AMOUNT })
  last_amount?: Big | null;

  @SkippedDatesField({ omittable: true })
  skipped_dates?: CalendarDate[];

  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListBaseTemplatesQuery {
  @QueryBooleanField({ description: 'Default: both' })
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true, description: 'Default: both' })
  currency?: CurrencyCode;

  @BudgetFilterField()
  budget_id?: string;
}

/** The common fields of the representations of expense and income templates. */
@HasRecurrence()
export class BaseTemplateResponse {
  @TextProperty({ example: 'Renta Mérida', description: 'The description of what is generated' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '9850.00', description: 'In the currency of the template' })
  base_amount!: string;

  @ApiProperty({
    type: [AmountChangeResponse],
    description: 'Amounts in place of `base_amount`, ascending by `from`',
  })
  amount_changes!: readonly AmountChangeResponse[];

  @MoneyProperty({ nullable: true, example: null, description: LAST_AMOUNT })
  last_amount!: string | null;

  @EnumProperty(RECURRENCE_TYPES, 'RecurrenceType', {
    example: 'monthly',
    description: 'The type of the recurrence rule',
  })
  recurrence_type!: RecurrenceType;

  @RecurrenceConfigProperty()
  recurrence_config!: RecurrenceConfig;

  @DateProperty({
    example: '2025-01-01',
    description: 'A known occurrence, from which `bi_weekly` and `custom` count',
  })
  reference_date!: CalendarDate;

  @DateProperty({ nullable: true, example: null, description: 'No occurrence is dated before it' })
  starts_on!: CalendarDate | null;

  @DateProperty({
    nullable: true,
    example: '2026-05-31',
    description: 'No occurrence is dated after it',
  })
  ends_on!: CalendarDate | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'date' },
    example: ['2026-07-01'],
    description: SKIPPED_DATES,
  })
  skipped_dates!: readonly CalendarDate[];

  @EnumProperty(WEEKEND_RULES, 'WeekendRule', {
    example: 'before',
    description: 'How an occurrence on a Saturday or Sunday is moved',
  })
  weekend_rule!: WeekendRule;

  @BudgetReferenceOrNullProperty('The budget of the generated entries')
  budget!: BudgetReference | null;

  @BooleanProperty({ example: true, description: 'false: deleted, nothing is generated' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

/** The common fields of the response; those of each kind come after them. */
export const toBaseTemplateResponse = (template: BaseTemplate): BaseTemplateResponse => ({
  description: template.description,
  currency: template.currency,
  base_amount: formatMoney(template.baseAmount),
  amount_changes: template.amountChanges,
  last_amount: template.lastAmount && formatMoney(template.lastAmount),
  recurrence_type: template.recurrenceType,
  recurrence_config: template.recurrenceConfig,
  reference_date: template.referenceDate,
  starts_on: template.startsOn,
  ends_on: template.endsOn,
  skipped_dates: template.skippedDates,
  weekend_rule: template.weekendRule,
  budget: toBudgetReference(template.budget),
  active: template.active,
  created_at: template.createdAt.toISOString(),
  updated_at: template.updatedAt.toISOString(),
});
