/** Totals, which the service has in dollars, in the currency that the user prefers. */
import { toPesos } from '../accounts/account';
import { useMe, useRate, type Currency } from '../api';
import { useLocale } from '../locale';

interface TotalText {
  /** In the preferred currency, or in dollars while the rate is not read. */
  amount: string;
  currency: Currency;
  /** The amount with its currency. */
  text: string;
  /** In the other currency, with the rate that converts it. */
  other: string | undefined;
}

/** Writes a total in dollars, with sign `always` as a change, at the rate of today. */
export function useTotal(): (usd: string, sign?: 'always') => TotalText {
  const { t, money } = useLocale();
  const { data: me } = useMe();
  const rate = useRate(me?.today);
  return (usd, sign) => {
    const dollars = { amount: usd, currency: 'USD' as const, text: money(usd, 'USD', sign) };
    if (!rate) return { ...dollars, other: undefined };
    const amount = toPesos(usd, rate);
    const pesos = { amount, currency: 'MXN' as const, text: money(amount, 'MXN', sign) };
    const inPesos = me?.preferred_currency === 'MXN';
    const other = t.overview.atTodaysRate((inPesos ? dollars : pesos).text);
    return { ...(inPesos ? pesos : dollars), other };
  };
}

/** A total in pesos with its dollars below, for a user who prefers pesos; or in dollars alone. */
export function Total({ usd, sign }: { usd: string; sign?: 'always' }) {
  const { text, currency, other } = useTotal()(usd, sign);
  return (
    <>
      {text}
      {currency === 'MXN' && <div className="detail muted">{other}</div>}
    </>
  );
}
