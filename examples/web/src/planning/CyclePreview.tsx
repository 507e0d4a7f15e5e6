/** What a cycle would have, before it is created. */
import { Alert } from '@mantine/core';
import {
  addAmounts,
  addDays,
  compareAmounts,
  subtractAmounts,
  warningMessage,
  type Schemas,
} from 'expense-service-client';
import { client, type Forecast } from '../api';
import { DataTable } from '../components/DataTable';
import { Amount, EntryName, Figures, Loaded, useIsNarrow } from '../components/Page';
import { useTotal } from '../components/Total';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';
import { balanceOn, type BalanceDay } from '../overview/plan';
import { useForecast } from '../overview/usePlan';

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

function PreviewFrom({ draft, forecast }: { draft: Draft; forecast: Forecast }) {
  const { t } = useLocale();
  return (
    <Loaded state={usePreview(draft, compute)} height={320}>
      {(preview) => (
        <section aria-label={t.planning.next.preview}>
          <PreviewFigures draft={draft} forecast={forecast} preview={preview} />
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
}

/** As the forecast has them, if it proposes the same cycle. */
function PreviewFigures({ draft, forecast, preview }: FiguresProps) {
  const { t, locale, day } = useLocale();
  const total = useTotal();
  const texts = t.planning.next;
  const { income_amount, summary } = preview.cycle;
  const forecasted = forecastedDays(forecast, preview);
  const { days, budgets } = forecasted ?? daysOf(preview);
  const [lowest] = days.toSorted((a, b) => compareAmounts(a.balance, b.balance));
  const end = days.at(-1);
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
      <p className="muted">{forecasted ? texts.asForecast : texts.byDay}</p>
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
  const dayStyle = useIsNarrow() ? 'day' : 'short';
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
        { cell: ({ date }) => <span style={{ whiteSpace: 'nowrap' }}>{day(date, dayStyle)}</span> },
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

/** Of any other cycle: purchases by card leave on their day, and nothing is set aside. */
const daysOf = ({ cash_flow: { days } }: Preview): Days => ({
  days: days.map(({ date, balance_usd: balance }) => ({ date, balance })),
  budgets: '0.00',
});
