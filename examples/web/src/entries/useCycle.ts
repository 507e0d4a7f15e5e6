import { queries, useMe, useQuery, type Cycle, type Forecast } from '../api';
import { useStatements } from '../cards/statement';
import { useForecast } from '../overview/usePlan';
import { inCycle, type ExpenseEntry, type IncomeEntry } from './entry';

export interface CycleContent {
  cycle: Cycle;
  forecast: Forecast;
  expenses: ExpenseEntry[];
  incomes: IncomeEntry[];
}

/** A cycle with its entries and the forecast; undefined until all have been read. */
export function useCycle(id: string) {
  const me = useMe();
  const forecast = useForecast();
  const cycle = useQuery(queries.query('/cycles/{id}', { params: { path: { id } } }));
  const params = { path: { cycle_id: id } };
  const expenses = useQuery(queries.query('/cycles/{cycle_id}/expenses', { params }));
  const incomes = useQuery(queries.query('/cycles/{cycle_id}/incomes', { params }));
  const { start_date: from, end_date: to } = cycle.data ?? {};
  const statements = useStatements(from && to ? { from, to } : undefined);
  const lists = expenses.data && incomes.data && { ...expenses.data, ...incomes.data };
  const data = me.data &&
    cycle.data &&
    forecast.data &&
    statements.data &&
    lists && {
      cycle: cycle.data,
      forecast: forecast.data,
      expenses: inCycle(lists.expenses, id, statements.data),
      incomes: inCycle(lists.incomes, id, statements.data),
    };
  const all = [me, cycle, expenses, incomes, forecast, statements];
  return { data, error: all.find(({ error }) => error !== undefined)?.error };
}
