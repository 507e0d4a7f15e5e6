import { Amount } from '../components/Page';
import type { Forecast } from '../api';
import { useLocale } from '../locale';
import type { Plan } from './plan';

export type PlannedEntry = NonNullable<Forecast['entries']>[number];

/** What recurs gives in the next cycle while that is not created. */
export const plannedIn = (
  { forecast, next }: Plan,
  type: PlannedEntry['entity_type'],
): PlannedEntry[] =>
  (forecast.entries ?? []).filter(
    (each) =>
      each.entity_type === type &&
      each.id === null &&
      next !== undefined &&
      each.date >= next.start_date &&
      each.date <= next.end_date,
  );

/** An entry of a cycle that is not created, which can be neither paid nor opened. */
export function PlannedRow({ entry, hidesDay }: { entry: PlannedEntry; hidesDay?: boolean }) {
  const { usd, day } = useLocale();
  const { description, payment_method: method, budget, currency } = entry;
  const details = [!hidesDay && day(entry.date), method?.name, budget?.name];
  return (
    <div className="entry">
      <div>
        <b>{description}</b>
        <div className="detail muted">{details.filter(Boolean).join(' · ')}</div>
      </div>
      <span className="num">{currency === 'MXN' && <Amount {...entry} />}</span>
      <span className={currency === 'MXN' ? 'num muted' : 'num'}>{usd(entry.amount_usd)}</span>
      <span />
    </div>
  );
}
