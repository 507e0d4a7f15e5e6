import { Big } from 'big.js';
import { DomainError } from '../platform/errors/domain-error.js';
import './dto/conversion-error.dto.js';
import { divideMoney, MAX_AMOUNT, multiplyMoney, type Money } from '../platform/values/money.js';
import type { CurrencyConversionDetails } from './dto/conversion-error.dto.js';

/** An amount without a rate, or whose conversion cannot be stored. */
export class ConversionError extends DomainError<'CURRENCY_CONVERSION_ERROR'> {
  /** @param field the field of the request that the error is about */
  constructor(
    message: string,
    field: 'currency' | 'amount',
    details: Omit<CurrencyConversionDetails, 'fields'>,
  ) {
    super('CURRENCY_CONVERSION_ERROR', message, { ...details, fields: { [field]: [message] } });
  }
}

/** Amounts in USD cannot be exchanged for pesos. */
export const noRateToPesos = (): ConversionError =>
  new ConversionError('No exchange rate from USD to MXN is stored', 'currency', {
    from_currency: 'USD',
    to_currency: 'MXN',
  });

/** A stored rate; with `isInverse`, the amount is divided by it. */
export interface ConversionRate {
  rate: Big;
  isInverse: boolean;
}

/** Divides with 6 decimals, rounded half up. */
const Millionths = Big();
Millionths.DP = 6;
Millionths.RM = Big.roundHalfUp;

/** The value of one unit of the converted currency, with 6 decimals. */
export function unitRate({ rate, isInverse }: ConversionRate): Big {
  return isInverse ? new Big(new Millionths(1).div(rate)) : rate;
}

/** Half a cent, by which a conversion is rounded, and half of the last decimal of a rate. */
const HALF_CENT = new Big('0.005');
const HALF_MILLIONTH = new Big('0.0000005');

/**
 * Whether `amount` converted at `rate`, the value of one unit, can round to `result`. The value of
 * an inverse rate is rounded itself, so that the result may differ by that, too.
 */
export const canConvertTo = ({
  amount,
  rate,
  result,
}: {
  amount: Money;
  rate: Big;
  result: Money;
}): boolean =>
  result.minus(amount.times(rate)).abs().lte(amount.times(HALF_MILLIONTH).plus(HALF_CENT));

/**
 * Converts an amount to the other currency, rounded half up to cents.
 *
 * @throws ConversionError when the result is 0.00 or exceeds the maximum amount
 */
export function convert(amount: Money, rate: ConversionRate): Money {
  const converted = exchange(amount, rate);
  if (converted.eq(0)) {
    throw new ConversionError('The converted amount rounds to 0.00', 'amount', {
      amount: amount.toFixed(2),
    });
  }
  if (converted.gt(MAX_AMOUNT)) {
    throw new ConversionError('The converted amount is too large', 'amount', {
      amount: amount.toFixed(2),
    });
  }
  return converted;
}

/** An amount of any sign and size in the other currency, rounded half up to cents. */
export const exchange = (amount: Money, { rate, isInverse }: ConversionRate): Money =>
  isInverse ? divideMoney(amount, rate) : multiplyMoney(amount, rate);
