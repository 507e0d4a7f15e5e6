import { useMemo } from 'react';
import type { Schemas } from 'expense-service-client';
import { queries, useCycles, usePages, useQuery, type Forecast, type State } from '../api';
import { daysAround, useStatements } from '../cards/statement';
import { planOf, withoutLate, type Plan } from './plan';

const forecastQuery = () => {
  const include: ('days' | 'entries')[] = ['days', 'entries'];
  return queries.query('/forecast', { params: { query: { set_aside: 'budgets', include } } });
};

/** The forecast that all pages show, without incomes that are late. */
export function useForecast(): State<Forecast> {
  const { data, error } = useQuery(forecastQuery());
  return { error, data: useMemo(() => data && withoutLate(data), [data]) };
}

/** Of the cycles that are not completed: an entry of theirs may have any day. */
const entriesOf = (page: number) => ({
  params: { query: { open_cycles: true, page, per_page: 100 } },
});

/** The forecast with the entries of its stored cycles; undefined until all have been read. */
export function usePlan(user: Schemas['UserResponse']): State<Plan> {
  const forecast = useQuery(forecastQuery());
  const cycles = useCycles();
  const expenses = usePages((page) => queries.query('/expenses', entriesOf(page)));
  const incomes = usePages((page) => queries.query('/incomes', entriesOf(page)));
  const statements = useStatements(daysAround(user.today));
  const all = [forecast, cycles, expenses, incomes, statements];
  return {
    error: all.find(({ error }) => error !== undefined)?.error,
    data:
      forecast.data &&
      cycles.data &&
      expenses.data &&
      incomes.data &&
      statements.data &&
      planOf({
        user,
        forecast: forecast.data,
        cycles: cycles.data,
        expenses: expenses.data.flatMap((page) => page.expenses),
        incomes: incomes.data.flatMap((page) => page.incomes),
        statements: statements.data,
      }),
  };
}
