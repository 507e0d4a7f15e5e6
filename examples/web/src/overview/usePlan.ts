import { useLocalStorage } from '@mantine/hooks';
import type { QueryState, Schemas } from 'expense-service-client';
import { queries, useMe, useQuery, useQueryList, type Cycle, type Forecast } from '../api';
import type { StoredCycle } from './plan';

export interface Plan {
  forecast: Forecast;
  timeZone: string;
  /** The stored cycles that are not completed. */
  cycles: StoredCycle[];
  /** The active or draft cycle that includes today. */
  current: StoredCycle | undefined;
}

/** What should always remain, which this browser remembers. */
export const useMinimumBalance = () =>
  useLocalStorage({ key: 'minimum-balance', defaultValue: '0.00', getInitialValueInEffect: false });

const forecastQuery = (minimum: string) =>
  queries.query('/forecast', {
    params: {
      query: { minimum_balance: minimum, set_aside: 'budgets', include: ['days', 'entries'] },
    },
  });

/** The forecast with the entries of its stored cycles; undefined until all have been read. */
export function usePlan(): QueryState<Plan> {
  const [minimum] = useMinimumBalance();
  const me = useMe();
  const forecast = useQuery(forecastQuery(minimum));
  const ids = (forecast.data?.cycles ?? []).flatMap(({ id }) => id ?? []);
  const path = (id: string) => ({ params: { path: { cycle_id: id } } });
  const cycles = useQueryList(
    ids.map((id) => queries.query('/cycles/{id}', { params: { path: { id } } })),
  );
  const expenses = useQueryList(
    ids.map((id) => queries.query('/cycles/{cycle_id}/expenses', path(id))),
  );
  const incomes = useQueryList(
    ids.map((id) => queries.query('/cycles/{cycle_id}/incomes', path(id))),
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
  const stored = cycles.flatMap(({ data: cycle }, i) =>
    cycle ? [storedCycle(cycle, expenses[i]?.data, incomes[i]?.data)] : [],
  );
  const { today } = forecast.data;
  const current = stored.find(({ cycle }) => cycle.start_date <= today && today <= cycle.end_date);
  const data = { forecast: forecast.data, timeZone: me.data.time_zone, cycles: stored, current };
  return { ...state, data };
}

const storedCycle = (
  cycle: Cycle,
  list: Schemas['ExpenseListResponse'] | undefined,
  incomeList: Schemas['IncomeListResponse'] | undefined,
): StoredCycle => ({
  cycle,
  expenses: list?.expenses ?? [],
  incomes: incomeList?.incomes ?? [],
});
