/** Totals, which the service has in dollars, in the currency that the user prefers. */
import { toPesos } from '../accounts/account';
import { useMe, useRate } from '../api';
import { useLocale } from '../locale';

interface TotalText {
  /** In the preferred currency. */
  text: string;
  /** In the other one, with the rate that converts them; undefined while that is not read. */
  other: string | undefined;
  isPesos: boolean;
}

/** Writes a total in dollars, with sign `always` as a change, at the rate of today. */
export function useTotal(): (amount: string, sign?: 'always') => TotalText {
  const { t, usd, money } = useLocale();
  const { data: me } = useMe();
  const rate = useRate(me?.today);
  return (amount, sign) => {
    const dollars = usd(amount, sign);
    const pesos = rate && money(toPesos(amount, rate), 'MXN', sign);
    if (!pesos) return { text: dollars, other: undefined, isPesos: false };
    const isPesos = me?.preferred_currency === 'MXN';
    return {
      text: isPesos ? pesos : dollars,
      other: t.overview.atTodaysRate(isPesos ? dollars : pesos),
      isPesos,
    };
  };
}

/** A total in pesos with its dollars below, for a user who prefers pesos; or in dollars alone. */
export function Total({ usd, sign }: { usd: string; sign?: 'always' }) {
  const { text, other, isPesos } = useTotal()(usd, sign);
  return (
    <>
      {text}
      {isPesos && <div className="detail muted">{other}</div>}
    </>
  );
}
