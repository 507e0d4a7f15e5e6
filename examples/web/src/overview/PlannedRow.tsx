import { EntryName } from '../components/Page';
import { Row } from '../components/Row';
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
  const { day } = useLocale();
  const { payment_method: method, budget } = entry;
  const details = [!hidesDay && day(entry.date), method?.name, budget?.name];
  return (
    <Row
      name={<EntryName {...entry} />}
      details={details.filter(Boolean).join(' · ')}
      money={entry}
    />
  );
}
