import type { Cycle } from '../api';
import { useLocale } from '../locale';

/** A cycle's name; the one that the service proposes is its days, which are shown as usual. */
export function useCycleName(): (cycle: Cycle) => string {
  const { day } = useLocale();
  return ({ name, start_date, end_date }) =>
    name === `${start_date} to ${end_date}`
      ? `${day(start_date, 'day')} – ${day(end_date, 'year')}`
      : name;
}

export function StatusBadge({ status }: Pick<Cycle, 'status'>) {
  const { t } = useLocale();
  return <span className={`badge ${status === 'active' ? 'good' : ''}`}>{t.status[status]}</span>;
}
