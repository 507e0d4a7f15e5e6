import { ApiProperty } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import {
  BooleanField,
  DateField,
  EnumField,
  IsRequired,
  MoneyField,
  TextField,
} from '../../platform/dto/fields.js';
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
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/enums.js';
import type { RecurrentTemplate, TemplateFields } from '../base-template.entity.js';
import {
  RECURRENCE_TYPES,
  WEEKEND_RULES,
  type RecurrenceConfig,
  type RecurrenceType,
  type WeekendRule,
} from '../recurrence/recurrence.js';
import { configClassOf } from './recurrence-config.dto.js';
import { HasRecurrence } from './recurrence.dto.js';

const CONFIG_DESCRIPTION = 'Its schema depends on `recurrence_type`';

/** The fields that a new expense or income template has in common. */
@HasRecurrence()
export class CreateRecurrentTemplateDto {
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

  @EnumField(RECURRENCE_TYPES, 'RecurrenceType', {
    example: 'monthly',
    description: 'The type of the recurrence rule',
  })
  recurrence_type!: RecurrenceType;

  @ApiProperty({ description: CONFIG_DESCRIPTION, example: { day_of_month: 1 } })
  @IsRequired()
  @IsObject()
  @ValidateNested()
  @Type((options) => configClassOf((options?.object as CreateRecurrentTemplateDto).recurrence_type))
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

  @EnumField(WEEKEND_RULES, 'WeekendRule', {
    optional: true,
    description:
      'How an occurrence on a Saturday or Sunday is moved: `keep` (default) keeps the date, `before` ' +
      'moves it to the Friday before, `after` to the Monday after',
    example: 'before',
  })
  weekend_rule?: WeekendRule | null;
}

/** The fields of an update that differ from a creation. */
export class UpdatedTemplateFields {
  @EnumField(WEEKEND_RULES, 'WeekendRule', {
    omittable: true,
    example: 'before',
    description: 'How an occurrence on a Saturday or Sunday is moved',
  })
  weekend_rule?: WeekendRule;

  @BooleanField({ omittable: true, example: true, description: 'true restores, false deletes' })
  active?: boolean;
}

export class ListRecurrentTemplatesQuery {
  @QueryBooleanField({ description: 'Default: both' })
  active?: boolean;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true })
  currency?: CurrencyCode;
}

/** The common fields of the representations of expense and income templates. */
@HasRecurrence()
export class RecurrentTemplateResponse {
  @TextProperty({ example: 'Renta Mérida', description: 'The description of what is generated' })
  description!: string;

  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'MXN',
    description: 'The currency of the amount',
  })
  currency!: CurrencyCode;

  @MoneyProperty({ example: '9850.00', description: 'In the currency of the template' })
  base_amount!: string;

  @EnumProperty(RECURRENCE_TYPES, 'RecurrenceType', {
    example: 'monthly',
    description: 'The type of the recurrence rule',
  })
  recurrence_type!: RecurrenceType;

  @ApiProperty({ description: CONFIG_DESCRIPTION, example: { day_of_month: 1 } })
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

  @EnumProperty(WEEKEND_RULES, 'WeekendRule', {
    example: 'before',
    description: 'How an occurrence on a Saturday or Sunday is moved',
  })
  weekend_rule!: WeekendRule;

  @BooleanProperty({ example: true, description: 'false: deleted, nothing is generated' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;
}

/** The fields of a new template that both kinds have. */
export const newRecurrentFields = (dto: CreateRecurrentTemplateDto): TemplateFields => ({
  description: dto.description,
  currency: dto.currency,
  baseAmount: dto.base_amount,
  recurrenceType: dto.recurrence_type,
  recurrenceConfig: dto.recurrence_config,
  referenceDate: dto.reference_date,
  startsOn: dto.starts_on ?? null,
  endsOn: dto.ends_on ?? null,
  weekendRule: dto.weekend_rule ?? 'keep',
});

/** The fields that an update sets and both kinds have; undefined: not in the body. */
export const changedRecurrentFields = (
  dto: Partial<Omit<CreateRecurrentTemplateDto, 'weekend_rule'>> & UpdatedTemplateFields,
): Partial<TemplateFields & Pick<RecurrentTemplate, 'active'>> => ({
  description: dto.description,
  currency: dto.currency,
  baseAmount: dto.base_amount,
  recurrenceType: dto.recurrence_type,
  recurrenceConfig: dto.recurrence_config,
  referenceDate: dto.reference_date,
  startsOn: dto.starts_on,
  endsOn: dto.ends_on,
  weekendRule: dto.weekend_rule,
  active: dto.active,
});
