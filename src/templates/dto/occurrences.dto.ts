import {
  ApiExtraModels,
  ApiProperty,
  ApiSchema,
  IntersectionType,
  PickType,
} from '@nestjs/swagger';
import type { Big } from 'big.js';
import { DateField } from '../../platform/dto/fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { DateProperty, MoneyProperty, TextProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatMoney } from '../../platform/values/money.js';
import { compareText } from '../../platform/values/text.js';
import { MOVE_REASONS, type MoveReason } from '../recurrence/recurrence.js';
import type { TemplateSchedule } from '../template-occurrences.js';
import { CreateBaseTemplateDto } from './base-template.dto.js';
import { InstalmentDto, InstalmentOrNullProperty } from './instalment.dto.js';
import { HasRecurrence } from './recurrence-config.dto.js';

const MAX_DAYS = 1100;

const SKIP_REASONS = ['no_such_day', 'skipped_date'] as const;

/** A period, both ends included. */
export class OccurrencesQuery {
  @DateField({ example: '2026-01-19', description: 'Inclusive' })
  from!: CalendarDate;

  @DateField({
    notBefore: 'from',
    maxDays: MAX_DAYS,
    example: '2026-12-31',
    description: `Inclusive; at most ${MAX_DAYS} days after \`from\``,
  })
  to!: CalendarDate;
}

/** A rule that is not stored. */
@HasRecurrence()
@ApiSchema({ description: 'A recurrence rule that is not stored, and a period' })
export class ComputeOccurrencesDto extends IntersectionType(
  PickType(CreateBaseTemplateDto, [
    'amount_changes',
    'last_amount',
    'recurrence_type',
    'recurrence_config',
    'reference_date',
    'starts_on',
    'ends_on',
    'skipped_dates',
    'weekend_rule',
  ] as const),
  OccurrencesQuery,
) {
  @MoneyField({
    optional: true,
    example: '9850.00',
    description: 'The amount of each occurrence, in any currency; null: unknown',
  })
  base_amount?: Big | null;
}

@ApiSchema({ description: 'An occurrence of a recurrence rule' })
class OccurrenceResponse {
  @DateProperty({
    example: '2026-01-30',
    description: 'The date of the occurrence, after the weekend rule',
  })
  date!: CalendarDate;

  @DateProperty({
    example: '2026-01-31',
    description: 'The date before the weekend rule; unique within a template',
  })
  rule_date!: CalendarDate;

  @ApiProperty({
    enum: MOVE_REASONS,
    enumName: 'MoveReason',
    isArray: true,
    example: ['weekend'],
    description:
      '`month_end`: the month has no such day, so its last day is used; `weekday`: moved to `day_of_week`; ' +
      '`weekend`: moved by the weekend rule',
  })
  reasons!: MoveReason[];

  @MoneyProperty({
    nullable: true,
    example: '9850.00',
    description: 'In the currency of the template; null: a rule without an amount',
  })
  amount!: string | null;

  @InstalmentOrNullProperty()
  instalment!: InstalmentDto | null;
}

@ApiSchema({ description: 'A month or a date without an occurrence' })
class SkippedResponse {
  @TextProperty({ example: '2026-02', description: 'YYYY-MM' })
  month!: string;

  @DateProperty({
    nullable: true,
    example: null,
    description: 'One of `skipped_dates`; null: the month has no such day',
  })
  date!: CalendarDate | null;

  @ApiProperty({
    enum: SKIP_REASONS,
    enumName: 'SkipReason',
    example: 'no_such_day',
    description: 'Why there is none',
  })
  reason!: (typeof SKIP_REASONS)[number];
}

@ApiExtraModels(InstalmentDto)
@ApiSchema({ description: 'The occurrences of a recurrence rule in a period' })
export class OccurrencesResponse {
  @ApiProperty({ type: [OccurrenceResponse], description: 'By date, then rule date' })
  occurrences!: OccurrenceResponse[];

  @ApiProperty({
    type: [SkippedResponse],
    description:
      'The months that a `monthly` rule without `handle_month_end` leaves out, and the occurrences that the ' +
      'template skips, by month and date',
  })
  skipped!: SkippedResponse[];
}

export function toOccurrencesResponse({
  occurrences,
  skippedMonths,
  skippedDates,
}: TemplateSchedule<Big | null>): OccurrencesResponse {
  const months = skippedMonths.map((month): SkippedResponse => ({
    month,
    date: null,
    reason: 'no_such_day',
  }));
  const dates = skippedDates.map((date): SkippedResponse => ({
    month: date.slice(0, 7),
    date,
    reason: 'skipped_date',
  }));
  return {
    occurrences: occurrences.map(({ date, ruleDate, reasons, amount, instalment }) => ({
      date,
      rule_date: ruleDate,
      reasons,
      amount: amount && formatMoney(amount),
      instalment,
    })),
    // A rule that leaves out months has one date in each month. The sort is stable.
    skipped: [...months, ...dates].sort((a, b) => compareText(a.month, b.month)),
  };
}
