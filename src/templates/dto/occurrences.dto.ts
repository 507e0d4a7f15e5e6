import { ApiProperty, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { DateField } from '../../platform/dto/fields.js';
import { DateProperty, TextProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { MOVE_REASONS, type MoveReason, type Schedule } from '../recurrence/recurrence.js';
import { CreateBaseTemplateDto } from './base-template.dto.js';
import { HasRecurrence } from './recurrence-config.dto.js';

const MAX_DAYS = 1100;

const SKIP_REASONS = ['no_such_day'] as const;

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
    'recurrence_type',
    'recurrence_config',
    'reference_date',
    'starts_on',
    'ends_on',
    'weekend_rule',
  ] as const),
  OccurrencesQuery,
) {}

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
}

@ApiSchema({ description: 'A month without an occurrence' })
class SkippedMonthResponse {
  @TextProperty({ example: '2026-02', description: 'YYYY-MM' })
  month!: string;

  @ApiProperty({
    enum: SKIP_REASONS,
    enumName: 'SkipReason',
    example: 'no_such_day',
    description: 'Why there is none',
  })
  reason!: (typeof SKIP_REASONS)[number];
}

@ApiSchema({ description: 'The occurrences of a recurrence rule in a period' })
export class OccurrencesResponse {
  @ApiProperty({ type: [OccurrenceResponse], description: 'By date, then rule date' })
  occurrences!: OccurrenceResponse[];

  @ApiProperty({
    type: [SkippedMonthResponse],
    description: 'The months that a `monthly` rule without `handle_month_end` leaves out',
  })
  skipped!: SkippedMonthResponse[];
}

export function toOccurrencesResponse({
  occurrences,
  skippedMonths,
}: Schedule): OccurrencesResponse {
  return {
    occurrences: occurrences.map(({ date, ruleDate, reasons }) => ({
      date,
      rule_date: ruleDate,
      reasons,
    })),
    skipped: skippedMonths.map((month) => ({ month, reason: 'no_such_day' })),
  };
}
