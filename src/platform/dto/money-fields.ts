/** Decorators for the fields of request DTOs that are amounts of money or exchange rates. */
import { Big } from 'big.js';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { parseMoney, parseSignedMoney } from '../values/money.js';
import { field, type FieldOptions } from './fields.js';

/** What the column of a rate can store. */
const RATE = /^\d{1,12}(\.\d{1,6})?$/;

/** What the column of an expected balance can store. */
const SUM = /^-?\d{1,28}(\.\d{1,2})?$/;
/** A sum from 0.00. */
const SUM_FROM_ZERO = /^\d{1,28}(\.\d{1,2})?$/;

interface MoneyOptions extends FieldOptions {
  /** May be zero. */
  zero?: boolean;
  /** May be zero or less. */
  signed?: boolean;
}

/** An amount of money, converted to an exact decimal. */
export function MoneyField(options: MoneyOptions = {}): PropertyDecorator {
  const { signed = false, zero = signed } = options;
  const minimum = signed ? -999999999.99 : zero ? 0 : 0.01;
  const parse = signed ? parseSignedMoney : parseMoney;
  return field(
    options,
    // A number is accepted too, but a union of both is awkward in generated clients.
    {
      type: 'string',
      pattern: `^${signed ? '-?' : ''}${String.raw`(0*\d{1,9}(\.\d{1,2})?|\.\d{1,2})$`}`,
    },
    Transform(({ value }: { value: unknown }) => parse(value) ?? value),
    ValidateBy({
      name: 'isMoney',
      validator: {
        validate: (value) => value instanceof Big && (zero || value.gt(0)),
        defaultMessage: () =>
          `$property must be an amount from ${minimum} to 999999999.99 with at most 2 decimals`,
      },
    }),
  );
}

/**
 * A sum of amounts as text, converted to an exact decimal; it may be below 0 without
 * `zero`.
 */
export function SumField({ zero, ...options }: FieldOptions & { zero?: true }): PropertyDecorator {
  const pattern = zero ? SUM_FROM_ZERO : SUM;
  return field(
    options,
    { type: 'string', pattern: pattern.source },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && pattern.test(value) ? new Big(value) : value,
    ),
    ValidateBy({
      name: 'isMoney',
      validator: {
        validate: (value) => value instanceof Big,
        defaultMessage: () => `$property must be a sum such as ${zero ? '' : '-'}12.50, as text`,
      },
    }),
  );
}

/**
 * An exchange rate with up to 6 decimals, as text, converted to an exact decimal; with `max` it is
 * greater than 0 and at most that.
 */
export function RateField({
  max,
  ...options
}: FieldOptions & { max?: Big } = {}): PropertyDecorator {
  return field(
    options,
    { type: 'string', pattern: RATE.source },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && RATE.test(value) ? new Big(value) : value,
    ),
    ValidateBy({
      name: 'isRate',
      validator: {
        validate: (value) => value instanceof Big && (!max || (value.gt(0) && value.lte(max))),
        defaultMessage: () =>
          `$property must be a rate such as 0.050000, as text${max ? `, greater than 0 and at most ${max.toFixed()}` : ''}`,
      },
    }),
  );
}
