import { useMemo } from 'react';
import type { QueryState, Schemas } from 'expense-service-client';
import { queries, useQuery, useQueryList, type Forecast } from '../api';
import { daysAround, useStatements } from '../cards/statement';
import { inCycle, isOpen } from '../entries/entry';
import { isNearEnd, withoutLate, type Plan } from './plan';

type State<Data> = Pick<QueryState<Data>, 'data' | 'error'>;

const forecastQuery = () => {
  const include: ('days' | 'entries')[] = ['days', 'entries'];
  return queries.query('/forecast', { params: { query: { set_aside: 'budgets', include } } });
};

/** The forecast that all pages show, without incomes that are late. */
export function useForecast(): State<Forecast> {
  const { data, error } = useQuery(forecastQuery());
  return { error, data: useMemo(() => data && withoutLate(data), [data]) };
}

/** The forecast with the entries of its stored cycles; undefined until all have been read. */
export function usePlan(user: Schemas['UserResponse']): State<Plan> {
  const late = useQuery(forecastQuery()).data?.overdue.incomes ?? '0.00';
  const forecast = useForecast();
  const ids = (forecast.data?.cycles ?? []).flatMap(({ id }) => id ?? []);
  const cycles = useQueryList(
    ids.map((id) => queries.query('/cycles/{id}', { params: { path: { id } } })),
  );
  const of = (id: string) => ({ params: { path: { cycle_id: id } } });
  const expenses = useQueryList(
    ids.map((id) => queries.query('/cycles/{cycle_id}/expenses', of(id))),
  );
  const incomes = useQueryList(
    ids.map((id) => queries.query('/cycles/{cycle_id}/incomes', of(id))),
  );
  const statements = useStatements(daysAround(user.today));
  const all = [forecast, statements, ...cycles, ...expenses, ...incomes];
  const error = all.find((each) => each.error !== undefined)?.error;
  if (!forecast.data || !statements.data || all.some(({ data }) => data === undefined)) {
    return { error, data: undefined };
  }
  const ofCards = statements.data;
  const stored = cycles.flatMap(({ data: cycle }, i) => {
    if (!cycle) return [];
    return {
      cycle,
      expenses: inCycle(expenses[i]?.data?.expenses ?? [], cycle.id, ofCards),
      incomes: inCycle(incomes[i]?.data?.incomes ?? [], cycle.id, ofCards),
    };
  });
  const { today } = forecast.data;
  const sides = stored.flatMap(({ cycle: { side, id } }) => (side ? id : []));
  const main = forecast.data.cycles.filter(({ id }) => id === null || !sides.includes(id));
  const current = stored.find(
    ({ cycle }) => !cycle.side && cycle.start_date <= today && today <= cycle.end_date,
  );
  const lateIncomes = stored
    .flatMap((each) => each.incomes)
    .filter((each) => isOpen(each) && !each.statement && each.income_date < today);
  return {
    error,
    data: {
      ...{
        user,
        statements: ofCards,
        cycles: stored,
        current,
        late: { usd: late, incomes: lateIncomes },
      },
      forecast: { ...forecast.data, cycles: main },
      next: main.find(({ start_date }) => start_date > (current?.cycle.end_date ?? today)),
      isEnding: isNearEnd(today, current?.cycle.end_date),
    },
  };
}
