import { useLocalStorage } from '@mantine/hooks';
import type { QueryState, Schemas } from 'expense-service-client';
import { queries, useQuery, useQueryList } from '../api';
import type { Plan } from './plan';

/** What should always remain, which this browser remembers for each user. */
export const useMinimumBalance = (userId: string) =>
  useLocalStorage({
    key: `minimum-balance-${userId}`,
    ...{ defaultValue: '0.00', getInitialValueInEffect: false },
  });

/** The forecast with the entries of its stored cycles; undefined until all have been read. */
export function usePlan(user: Schemas['UserResponse']): Pick<QueryState<Plan>, 'data' | 'error'> {
  const [minimum_balance] = useMinimumBalance(user.id);
  const query = { minimum_balance, set_aside: 'budgets', include: ['days', 'entries'] } as const;
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
  const all = [forecast, ...cycles, ...expenses, ...incomes];
  const error = all.find((each) => each.error !== undefined)?.error;
  if (!forecast.data || all.some(({ data }) => data === undefined)) {
    return { error, data: undefined };
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
  return { error, data: { user, forecast: forecast.data, cycles: stored, current } };
}
