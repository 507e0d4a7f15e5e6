import type { Big } from 'big.js';
import { DomainError } from '../common/errors/domain-error.js';
import { divideMoney, MAX_AMOUNT, multiplyMoney, type Money } from '../common/money.js';

/** A stored rate in the direction it was found: `inverse` divides by it. */
export interface ConversionRate {
  rate: Big;
  inverse: boolean;
}

/**
 * The amount in the other currency, in cents, rounded half up once from the exact value.
 *
 * @throws DomainError CURRENCY_CONVERSION_ERROR when that is 0.00 or over the largest amount
 */
export function convert(amount: Money, { rate, inverse }: ConversionRate): Money {
  const converted = inverse ? divideMoney(amount, rate) : multiplyMoney(amount, rate);
  if (converted.eq(0)) {
    throw conversionError('The converted amount rounds to 0.00', { amount: amount.toFixed(2) });
  }
  if (converted.gt(MAX_AMOUNT)) {
    throw conversionError('The converted amount is too large', { amount: amount.toFixed(2) });
  }
  return converted;
}

export function conversionError(
  message: string,
  details: Record<string, unknown> = {},
): DomainError {
  return new DomainError('CURRENCY_CONVERSION_ERROR', message, details);
}
