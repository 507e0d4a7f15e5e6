import { useLocalStorage } from '@mantine/hooks';
import type { QueryState } from 'expense-service-client';
import { queries, useMe, useQuery, useQueryList } from '../api';
import type { Plan } from './plan';

/** What should always remain, which this browser remembers. */
export const useMinimumBalance = () =>
  useLocalStorage({ key: 'minimum-balance', defaultValue: '0.00', getInitialValueInEffect: false });

/** The forecast with the entries of its stored cycles; undefined until all have been read. */
export function usePlan(): QueryState<Plan> {
  const [minimum_balance] = useMinimumBalance();
  const query = { minimum_balance, set_aside: 'budgets', include: ['days', 'entries'] } as const;
  const me = useMe();
  const forecast = useQuery(
    queries.query('/forecast', { params: { query: { ...query, include: [...query.include] } } }),
  );
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
  const all = [me, forecast, ...cycles, ...expenses, ...incomes];
  const state = {
    etag: undefined,
    error: all.find(({ error }) => error !== undefined)?.error,
    isLoading: all.some(({ isLoading }) => isLoading),
  };
  if (!me.data || !forecast.data || all.some(({ data }) => data === undefined)) {
    return { ...state, data: undefined };
  }
  const stored = cycles.flatMap(({ data: cycle }, i) => {
    if (!cycle) return [];
    const inCycle = { cycleId: cycle.id };
    return {
      cycle,
      expenses: (expenses[i]?.data?.expenses ?? []).map((each) => ({ ...each, ...inCycle })),
      incomes: (incomes[i]?.data?.incomes ?? []).map((each) => ({ ...each, ...inCycle })),
    };
  });
  const { today } = forecast.data;
  const current = stored.find(({ cycle }) => cycle.start_date <= today && today <= cycle.end_date);
  const data = { forecast: forecast.data, timeZone: me.data.time_zone, cycles: stored, current };
  return { ...state, data };
}
