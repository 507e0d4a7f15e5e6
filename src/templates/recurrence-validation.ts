import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fieldErrors } from '../platform/dto/field-errors.js';
import { BODY_OPTIONS } from '../platform/dto/request-validation.pipe.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import { configClassOf } from './dto/recurrence-config.dto.js';

interface Limits {
  startsOn: CalendarDate | null;
  endsOn: CalendarDate | null;
  lastAmount: Money | null;
}

interface LastOfPlan {
  last_amount?: Money | null;
  ends_on?: CalendarDate | null;
}

/**
 * @throws ValidationFailedError when the config does not fit the type, the end is before the start,
 *   or there is a last amount without an end
 */
export function assertRecurrence(
  { recurrenceType, ...limits }: Limits & { recurrenceType: string },
  config: object,
): void {
  assertNoProblems({ ...configProblems(recurrenceType, config), ...limitProblems(limits) });
}

/** Null is not the same as omitted in an update, and is rejected. */
export function assertWithoutNull(config: object): void {
  const paths = Object.entries(config)
    .filter(([, value]) => value === null)
    .map(([key]) => `recurrence_config.${key}`);
  assertNoProblems(
    Object.fromEntries(
      paths.map((path) => [path, [{ reason: 'null', message: `${path} must not be null` }]]),
    ),
  );
}

function configProblems(type: string, config: object): FieldErrors {
  const dto = plainToInstance(configClassOf(type), { ...config });
  return fieldErrors(validateSync(dto, BODY_OPTIONS), 'recurrence_config.');
}

function limitProblems({ startsOn, endsOn, lastAmount }: Limits): FieldErrors {
  if (endsOn === null) return lastAmountProblems({ last_amount: lastAmount, ends_on: endsOn });
  if (startsOn === null || endsOn >= startsOn) return {};
  return {
    ends_on: [{ reason: 'out_of_order', message: 'ends_on must not be before starts_on' }],
  };
}

/** The contradiction of a last amount without an end; null is the same as undefined. */
export function lastAmountProblems({ last_amount: amount, ends_on: end }: LastOfPlan): FieldErrors {
  if ((amount ?? null) === null || (end ?? null) !== null) return {};
  const message = 'last_amount must be null without ends_on';
  return { last_amount: [{ reason: 'contradiction', message }] };
}

/** @throws ValidationFailedError */
function assertNoProblems(problems: FieldErrors): void {
  if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
}
