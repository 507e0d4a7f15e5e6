import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiSchema,
  getSchemaPath,
  IntersectionType,
  OmitType,
  PartialType,
} from '@nestjs/swagger';
import { BooleanField, EnumField, IntegerField } from '../../platform/dto/fields.js';
import { HasVariants, IsUnionOf } from '../../platform/openapi/object-variants.js';
import {
  RECURRENCE_UNITS,
  type BiWeeklyConfig,
  type CustomConfig,
  type MonthlyConfig,
  type RecurrenceType,
  type RecurrenceUnit,
  type WeeklyConfig,
} from '../recurrence/recurrence.js';

const WEEKDAY = { min: 0, max: 6, example: 6, description: '0 = Sunday ... 6 = Saturday' };
const DAY_OF_MONTH = { min: 1, max: 31, example: 15 };
const INTERVAL = { min: 1, max: Number.MAX_SAFE_INTEGER };

@ApiSchema({ description: 'Every week on the same day' })
export class WeeklyConfigDto implements WeeklyConfig {
  @IntegerField(WEEKDAY)
  day_of_week!: number;
}

@ApiSchema({ description: 'Every so many days, counted from the reference date' })
export class BiWeeklyConfigDto implements BiWeeklyConfig {
  @IntegerField({ ...INTERVAL, example: 14, description: 'Days from one occurrence to the next' })
  interval_days!: number;
}

@ApiSchema({ description: 'Every month on the same day' })
export class MonthlyConfigDto implements MonthlyConfig {
  @IntegerField({
    ...DAY_OF_MONTH,
    description: 'Months without that day have no occurrence, unless `handle_month_end` is true',
  })
  day_of_month!: number;

  @BooleanField({
    optional: true,
    example: true,
    description:
      'In a month without that day, use its last day instead of skipping the month; false by default',
  })
  handle_month_end?: boolean;
}

@ApiSchema({
  description:
    'Every so many units, counted from the reference date. Fields that the unit does not use are validated and ignored',
})
export class CustomConfigDto implements CustomConfig {
  @IntegerField({ ...INTERVAL, example: 3, description: 'Units from one occurrence to the next' })
  interval!: number;

  @EnumField(RECURRENCE_UNITS, 'RecurrenceUnit', {
    example: 'months',
    description: 'The unit of the interval',
  })
  unit!: RecurrenceUnit;

  @IntegerField({
    ...DAY_OF_MONTH,
    optional: true,
    description:
      'For months and years: replaces the day of the reference date; in a month without it, its last day',
  })
  day_of_month?: number;

  @IntegerField({
    min: 1,
    max: 12,
    example: 2,
    optional: true,
    description: 'For years: replaces the month of the reference date',
  })
  month_of_year?: number;

  @IntegerField({
    ...WEEKDAY,
    optional: true,
    description:
      'For weeks: moves each date to this day of its week, from 0 = Sunday to 6 = Saturday',
  })
  day_of_week?: number;
}

/** The fields of all types, to validate a config whose type is unknown. */
class AnyConfigDto extends PartialType(
  IntersectionType(
    IntersectionType(BiWeeklyConfigDto, MonthlyConfigDto),
    OmitType(CustomConfigDto, ['day_of_month'] as const),
  ),
) {}

const CONFIG_OF_TYPE: Record<RecurrenceType, new () => object> = {
  weekly: WeeklyConfigDto,
  bi_weekly: BiWeeklyConfigDto,
  monthly: MonthlyConfigDto,
  custom: CustomConfigDto,
};

/** The DTO class that validates a recurrence config of the type. */
export function configClassOf(type: unknown): new () => object {
  return typeof type === 'string' && Object.hasOwn(CONFIG_OF_TYPE, type)
    ? CONFIG_OF_TYPE[type as RecurrenceType]
    : AnyConfigDto;
}

// `custom` first: generated clients take the first whose required fields are there, and it has
// fields of the others.
@IsUnionOf(Object.values(CONFIG_OF_TYPE).reverse())
@ApiSchema({ description: 'The config of a recurrence rule of any type' })
class RecurrenceConfigDto {}

/** Documents which `recurrence_config` each `recurrence_type` has. */
export const HasRecurrence = (): ClassDecorator =>
  applyDecorators(
    ApiExtraModels(RecurrenceConfigDto),
    HasVariants('recurrence_type', 'recurrence_config', CONFIG_OF_TYPE),
  );

/** Documents a config of any type. */
export const RecurrenceConfigProperty = (): PropertyDecorator =>
  ApiProperty({
    allOf: [{ $ref: getSchemaPath(RecurrenceConfigDto) }],
    description: 'Its schema depends on `recurrence_type`',
    example: { day_of_month: 1 },
  });
