/** What a cycle spends on budgets, and what has happened in it. */
import { Button } from '@mantine/core';
import { dayOf } from 'expense-service-client';
import { queries, useMe, useQuery, type Cycle } from '../api';
import { Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { BudgetBar, BudgetLeft } from '../planning/BudgetBar';
import { useWrite } from '../write';
import classes from './entries.module.css';
import type { Entry } from './entry';

export function CycleBudgets({ cycleId }: { cycleId: string }) {
  const { t, usd } = useLocale();
  const params = { path: { cycle_id: cycleId } };
  const summary = useQuery(queries.query('/cycles/{cycle_id}/summary', { params }));
  return (
    <Loaded state={summary}>
      {({ by_budget }) => (
        <ul className={classes.list}>
          {by_budget.length === 0 && <Nothing title={t.entries.noBudgets} />}
          {by_budget.map(({ budget, limit, left, ...amounts }) => (
            <li key={budget?.id ?? ''}>
              <b>{budget?.name ?? t.fields.none}</b>
              {limit && left ? (
                <>
                  <BudgetLeft {...{ limit, left }} />
                  <BudgetBar
                    {...{ limit, left, paid: amounts.paid_amount, pending: amounts.pending_amount }}
                  />
                </>
              ) : (
                <span>{usd(amounts.total_amount)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

/** The last operations, each of which can be taken back as a whole. */
export function CycleActivity({ cycle, entries }: { cycle: Cycle; entries: readonly Entry[] }) {
  const { t, day } = useLocale();
  const { write } = useWrite();
  const me = useMe().data;
  const query = { cycle_id: cycle.id, limit: 50 };
  const activity = useQuery(queries.query('/activity', { params: { query } }));
  return (
    <Loaded state={activity}>
      {(records) => (
        <ul className={classes.list}>
          {records.map(({ id, entity_id, operation_id, action, actor, created_at }, i) => {
            // The records of an operation follow each other.
            if (operation_id && operation_id === records[i - 1]?.operation_id) return null;
            const count = records.filter(
              (each) => operation_id && each.operation_id === operation_id,
            ).length;
            const entry = entries.find((each) => each.id === entity_id);
            const other = entity_id === cycle.id ? t.entries.theCycle : t.entries.someEntry;
            const name = entry?.description ?? other;
            const send = () => queries.undo(operation_id ?? '');
            return (
              <li key={id}>
                <span>
                  <b>{name}</b> {t.entries.actions[action]}{' '}
                  {count > 1 && t.entries.andMore(count - 1)}
                </span>
                <span className="muted">
                  {actor?.first_name} {me && day(dayOf(created_at, me.time_zone), 'day')}
                </span>
                {operation_id && cycle.status !== 'completed' && (
                  <Button
                    variant="subtle"
                    size="xs"
                    onClick={() => void write({ name, done: t.done.undone, send })}
                  >
                    {t.do.undo}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}
