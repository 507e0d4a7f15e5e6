/** What a cycle would have, before it is created. */
import { Alert } from '@mantine/core';
import {
  addAmounts,
  addDays,
  compareAmounts,
  daysBetween,
  fromCents,
  subtractAmounts,
  toCents,
  warningMessage,
  type Schemas,
} from 'expense-service-client';
import { converted } from '../accounts/account';
import { client, queries, useQuery, type Budget, type Forecast } from '../api';
import { DataTable } from '../components/DataTable';
import { Amount, EntryName, Figures, Loaded } from '../components/Page';
import { useTotal } from '../components/Total';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';
import { balanceOn, type BalanceDay } from '../overview/plan';
import { useForecast } from '../overview/usePlan';
import { amountIn } from './BudgetUse';

type Draft = Schemas['PreviewCycleDto'];
type Preview = Schemas['PreviewResponse'];

const compute = (body: Draft, signal: AbortSignal) =>
  client.POST('/cycles/preview', { body, signal });

/** It begins with what the forecast has then. */
export function CyclePreview({ draft }: { draft: Draft }) {
  return (
    <Loaded state={useForecast()} height={320}>
      {(forecast) => {
        const { start_date: start } = draft;
        const opening_balance =
          start > forecast.today
            ? balanceOn(forecast, addDays(start, -1))
            : forecast.opening_balance;
        return (
          <PreviewFrom
            draft={{ ...draft, ...(opening_balance && { opening_balance }) }}
            forecast={forecast}
          />
        );
      }}
    </Loaded>
  );
}

/** What an amount of a budget is converted with. */
interface Sources {
  budgets: readonly Budget[];
  /** Dollars for one peso. */
  rate: string;
}

function PreviewFrom({ draft, forecast }: { draft: Draft; forecast: Forecast }) {
  const { t } = useLocale();
  const query = { from: 'MXN', to: 'USD', date: forecast.today } as const;
  const rates = useQuery(queries.query('/exchange-rates', { params: { query } }));
  const budgets = useQuery(queries.query('/budgets'));
  const preview = usePreview(draft, compute);
  const rate = rates.data?.rates[0]?.rate;
  const sources = rate && budgets.data && { rate, budgets: budgets.data };
  const data = sources && preview.data ? { sources, preview: preview.data } : undefined;
  const error = preview.error ?? budgets.error ?? rates.error;
  return (
    <Loaded state={{ data, error }} height={320}>
      {({ preview, sources }) => (
        <section aria-label={t.planning.next.preview}>
          <PreviewFigures draft={draft} forecast={forecast} preview={preview} sources={sources} />
          <PreviewEntries {...preview} />
        </section>
      )}
    </Loaded>
  );
}

interface FiguresProps {
  draft: Draft;
  forecast: Forecast;
  preview: Preview;
  sources: Sources;
}

/** As the forecast has them, if it proposes the same cycle. */
function PreviewFigures({ draft, forecast, preview, sources }: FiguresProps) {
  const { t, locale, day } = useLocale();
  const total = useTotal();
  const texts = t.planning.next;
  const { income_amount, summary } = preview.cycle;
  const forecasted = forecastedDays(forecast, preview);
  const { days, budgets } = forecasted ?? daysWithBudgets(preview, sources);
  const [lowest] = days.toSorted((a, b) => compareAmounts(a.balance, b.balance));
  const end = days.at(-1);
  const hasCards = preview.expenses.some(
    ({ payment_method: { method_type: type } }) => type === 'credit',
  );
  return (
    <>
      <Figures
        figures={[
          [texts.begins, total(draft.opening_balance ?? '0.00').text],
          [texts.incomes, total(addAmounts(income_amount, summary.total_incomes)).text],
          [
            texts.expenses,
            total(summary.total_expenses).text,
            budgets !== '0.00' && texts.andBudgets(total(budgets).text),
          ],
          [
            texts.endsWith(end ? day(end.date, 'day') : ''),
            total(end?.balance ?? '0.00').text,
            lowest && t.entries.lowest(total(lowest.balance).text, day(lowest.date, 'day')),
          ],
        ]}
      />
      {hasCards && (
        <p className="muted">{forecasted ? texts.cardsByStatement : texts.cardsByDay}</p>
      )}
      {preview.warnings
        // The rates of days to come are always those of today, and the figures have the lowest day.
        .filter(({ code }) => code !== 'stale_rate' && code !== 'negative_balance')
        .map((warning) => (
          <Alert key={warning.code} color="red" mb="xs" py="xs">
            {warningMessage(warning, locale)}
          </Alert>
        ))}
    </>
  );
}

function PreviewEntries({ incomes, expenses }: Preview) {
  const { t, usd, day } = useLocale();
  const texts = t.planning.next;
  const dated = (entry: Preview['expenses' | 'incomes'][number]) => ({
    ...entry,
    date: 'due_date' in entry ? entry.due_date : entry.income_date,
  });
  return (
    <DataTable
      label={texts.preview}
      groups={[
        { title: texts.incomes, items: incomes.map(dated) },
        { title: texts.expenses, items: expenses.map(dated) },
      ]}
      columns={[
        { cell: ({ date }) => day(date) },
        { cell: (entry) => <EntryName {...entry} /> },
        { from: 'sm', cell: ({ payment_method: method }) => method?.name },
        { isEnd: true, cell: (entry) => <Amount {...entry} /> },
        { isEnd: true, from: 'sm', cell: (entry) => usd(entry.amount_usd) },
      ]}
    />
  );
}

interface Days {
  days: BalanceDay[];
  /** What is set aside for them. */
  budgets: string;
}

/** The days of a cycle that the forecast proposes, where purchases by card leave with statements. */
function forecastedDays({ cycles, days }: Forecast, { cycle }: Preview): Days | undefined {
  const { start_date: from, end_date: to, income_amount, summary } = cycle;
  const proposed = cycles.find(
    ({ source, start_date, end_date }) =>
      source === 'proposed' && start_date === from && end_date === to,
  );
  const own = days?.filter(({ date }) => date >= from && date <= to) ?? [];
  if (!proposed || own.at(-1)?.date !== to) return undefined;
  const incomes = addAmounts(income_amount, summary.total_incomes);
  const more = subtractAmounts(incomes, proposed.incomes);
  return {
    days: own.map(({ date, balance }) => ({ date, balance: addAmounts(balance, more) })),
    budgets: addAmounts(...own.map(({ set_aside }) => set_aside)),
  };
}

/** The days of a cash flow less what is set aside for budgets by then, as the forecast has them. */
function daysWithBudgets(
  { cycle, expenses, incomes, cash_flow }: Preview,
  { budgets: all, rate }: Sources,
): Days {
  const { budget_limits: limits, start_date: from, end_date: to } = cycle;
  const lefts = limits.map(({ budget_id: id, limit }) => {
    const own = all.find((budget) => budget.id === id)?.currency ?? 'USD';
    const total = (entries: Preview['expenses' | 'incomes']) => {
      const amounts = entries
        .filter(({ budget }) => budget?.id === id)
        .map((entry) => amountIn(entry, own, rate));
      return addAmounts(...amounts);
    };
    const left = subtractAmounts(addAmounts(limit, total(incomes)), total(expenses));
    const inDollars = converted(left, { from: own, to: 'USD', rate });
    return compareAmounts(inDollars, '0.00') > 0 ? toCents(inDollars) : 0n;
  });
  const count = BigInt(daysBetween({ from, to }) + 1);
  const until = (date: string) =>
    lefts.reduce(
      (sum, left) => sum + (left * BigInt(daysBetween({ from, to: date }) + 1)) / count,
      0n,
    );
  return {
    budgets: fromCents(lefts.reduce((sum, left) => sum + left, 0n)),
    days: cash_flow.days.map(({ date, balance_usd: balance }) => ({
      date,
      balance: subtractAmounts(balance, fromCents(until(date))),
    })),
  };
}
