import type { ValidationError } from 'class-validator';
import type { FieldReason } from '../errors/field-reasons.js';

/**
 * The reason of each constraint of class-validator, and of those that `fields.ts` adds, by its
 * name.
 */
const REASON_OF_CONSTRAINT: Record<string, FieldReason> = {
  isDefined: 'required',
  whitelistValidation: 'unknown_field',
  isString: 'not_a_string',
  isBoolean: 'not_a_boolean',
  isInt: 'not_an_integer',
  isObject: 'not_an_object',
  isMoney: 'not_an_amount',
  isRate: 'not_a_rate',
  isCalendarDate: 'not_a_date',
  isTimestamp: 'not_a_timestamp',
  isUuid: 'not_a_uuid',
  isEmail: 'not_an_email',
  isIn: 'not_an_option',
  isTimeZone: 'not_an_option',
  isNotBlank: 'blank',
  isStorable: 'invalid_characters',
  isLongEnough: 'too_short',
  isShortEnough: 'too_long',
  min: 'too_small',
  max: 'too_large',
  isList: 'not_an_array',
  arrayMinSize: 'too_few',
  arrayMaxSize: 'too_many',
  arrayUnique: 'repeated',
  isNotRepeated: 'repeated',
  nestedValidation: 'not_an_object',
  agrees: 'contradiction',
  isArray: 'repeated',
  isNotBefore: 'out_of_order',
  isAscending: 'out_of_order',
  isWithin: 'too_far_apart',
};

/**
 * The context of `isDefined` for a field that may be omitted, which has another reason than a
 * required field.
 */
export const REFUSES_NULL = { reason: 'null' } satisfies { reason: FieldReason };

/**
 * The reason of a violated constraint; a test compares the table with the constraints of all
 * fields.
 */
export function reasonOf({ contexts }: ValidationError, constraint: string): FieldReason {
  const context = contexts?.[constraint] as typeof REFUSES_NULL | undefined;
  return context?.reason ?? REASON_OF_CONSTRAINT[constraint] ?? 'malformed';
}

export const hasReason = (constraint: string): boolean => constraint in REASON_OF_CONSTRAINT;
