/** Why a field is refused, for programs; its message is for people. */
export const FIELD_REASONS = [
  'required',
  'null',
  'unknown_field',
  'not_a_string',
  'not_a_boolean',
  'not_an_integer',
  'not_an_object',
  'not_an_array',
  'not_an_amount',
  'not_a_rate',
  'not_a_date',
  'not_a_timestamp',
  'not_a_uuid',
  'not_an_email',
  'not_an_option',
  'malformed',
  'blank',
  'invalid_characters',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'too_deep',
  'repeated',
  'out_of_order',
  'too_far_apart',
  'contradiction',
  'inactive',
  'not_found',
  'ambiguous',
  'not_convertible',
] as const;

export type FieldReason = (typeof FIELD_REASONS)[number];

/** A reason why a field is refused. */
export interface FieldError {
  reason: FieldReason;
  message: string;
}

/** The errors by field, with the dotted path of nested fields. */
export type FieldErrors = Record<string, FieldError[]>;

/** The errors by line of a file, counted from 1, and column. */
export type RowErrors = Record<number, FieldErrors>;

export const countErrors = (errors: FieldErrors): number =>
  Object.values(errors).reduce((sum, { length }) => sum + length, 0);

/** The first errors, in the order of the fields. */
export function firstErrors(errors: FieldErrors, count: number): FieldErrors {
  const first: [field: string, errors: FieldError[]][] = [];
  let left = count;
  for (const [field, all] of Object.entries(errors)) {
    if (left <= 0) break;
    first.push([field, all.slice(0, left)]);
    left -= all.length;
  }
  return Object.fromEntries(first);
}

/** The messages of the errors, or their reasons, by field. */
export function byField<Key extends keyof FieldError>(
  errors: FieldErrors,
  key: Key,
): Record<string, FieldError[Key][]> {
  return mapValues(errors, (all) => all.map((error) => error[key]));
}

/** The messages of the errors, or their reasons, by line and column. */
export function byRow<Key extends keyof FieldError>(
  errors: RowErrors,
  key: Key,
): Record<string, Record<string, FieldError[Key][]>> {
  return mapValues(errors, (columns) => byField(columns, key));
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
