import { sumOf, type Holding } from '../balances/holdings.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import type { ForecastQuery } from './query.js';

/** Where the opening balance comes from: the request, balances, the plan, or nothing. */
export const OPENING_SOURCES = ['given', 'stated', 'plan', 'none'] as const;
export type OpeningSource = (typeof OPENING_SOURCES)[number];

/** What there is now, in the currency of the forecast. */
export interface Opening {
  source: OpeningSource;
  /** The latest balance that counts; null for other sources. */
  statedAt: string | null;
  balance: Cents;
}

/**
 * What there is now, by the filters of the forecast.
 *
 * @param holdings what there is in payment methods
 * @param settled what has happened according to the plan, in USD
 * @param converter with the rate of today, where holdings are in pesos
 * @throws DomainError CURRENCY_CONVERSION_ERROR for pesos without a stored rate
 */
export function openingOf(
  { openingBalance: given, currency, paymentMethodId, today }: ForecastQuery,
  {
    holdings,
    settled,
    converter,
  }: { holdings: readonly Holding[]; settled: Cents; converter: UsdConverter },
): Opening {
  if (given !== null) return { source: 'given', statedAt: null, balance: given };
  const counting = holdings.filter(
    (holding) =>
      holding.counts &&
      (currency === null || holding.currency === currency) &&
      (paymentMethodId === null || holding.paymentMethod.id === paymentMethodId),
  );
  const [first, ...others] = counting.map(({ statedAt }) => statedAt);
  if (first) {
    const sum = sumOf(counting, { currency: currency ?? 'USD', today, converter });
    const statedAt = others.reduce((latest, at) => (at > latest ? at : latest), first);
    return { source: 'stated', statedAt, balance: centsOf(sum) };
  }
  if (currency === null && paymentMethodId === null) {
    return { source: 'plan', statedAt: null, balance: settled };
  }
  return { source: 'none', statedAt: null, balance: 0n };
}
