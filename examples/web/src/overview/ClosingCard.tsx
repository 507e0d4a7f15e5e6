/** Offers to close a cycle that ends, and says what goes on. */
import { Button, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { addDays, daysBetween } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery, type Cycle } from '../api';
import { useLocale } from '../locale';
import type { Plan } from './plan';

/** The day on which closing a cycle was put off. */
export const usePutOff = (cycleId: string | undefined) =>
  useLocalStorage<string>({ key: `not-closed-${cycleId}`, getInitialValueInEffect: false });

/**
 * The first cycle to be closed: from the day before its end. Where nobody has said what there is, from
 * the day after it: what is left then goes to a cycle that has begun.
 */
export function ClosingCard({ plan }: { plan: Plan }) {
  const { today, opening } = plan.forecast;
  const last = addDays(today, opening.source === 'stated' ? 1 : -1);
  const ending = plan.cycles
    .map(({ cycle }) => cycle)
    .find(({ status, side, end_date: end }) => status === 'active' && !side && end <= last);
  const [putOff] = usePutOff(ending?.id);
  if (!ending || putOff === today) return null;
  return <Offer plan={plan} cycle={ending} />;
}

function Offer({ plan, cycle }: { plan: Plan; cycle: Cycle }) {
  const { t, days } = useLocale();
  const { today, cycles } = plan.forecast;
  const path = { id: cycle.id };
  const open = useQuery(queries.query('/cycles/{id}/close', { params: { path } })).data;
  const next = cycles.find(({ start_date }) => start_date > cycle.end_date);
  const ended = t.entries.closing.ended(daysBetween({ from: cycle.end_date, to: today }));
  return (
    <section className="card" aria-label={t.entries.complete}>
      <Group justify="space-between" p={{ base: 'md', sm: 'lg' }}>
        <div style={{ flex: '1 1 300px' }}>
          <b>{`${ended}: ${days(cycle)}`}</b>
          <p className="muted">
            {open &&
              t.overview.closingOpen(t.open(open.open_expense_count, open.open_income_count))}{' '}
            {next && t.overview.goesOn(days(next))}
          </p>
        </div>
        <Button component={Link} href={`/cycles/${cycle.id}/close`}>
          {t.entries.complete}
        </Button>
      </Group>
    </section>
  );
}
