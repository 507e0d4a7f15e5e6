import { Alert, Group, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
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
import { useLocation } from 'wouter';
import { converted } from '../accounts/account';
import { client, queries, useMe, useQuery, useRate, type Budget } from '../api';
import { DataTable } from '../components/DataTable';
import { Form } from '../components/Form';
import { DayInput, MoneyInput, useRules } from '../components/inputs';
import { Amount, EntryName, Figures, Loaded, PageHead } from '../components/Page';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';
import { balanceOn } from '../overview/plan';
import { useForecast } from '../overview/usePlan';
import { useDone } from '../write';
import { amountIn } from './BudgetUse';

const compute = (body: Schemas['PreviewCycleDto'], signal: AbortSignal) =>
  client.POST('/cycles/preview', { body, signal });

/** The form of the next cycle, or of a trip or project beside the others. */
export function NextCycle({ isTrip = false }: { isTrip?: boolean }) {
  const { t } = useLocale();
  const texts = t.planning.next;
  return (
    <>
      <PageHead title={isTrip ? t.entries.trip : texts.title} />
      <Loaded state={useQuery(queries.query('/cycles/next'))} height={400}>
        {(next) => (
          <section className="card" aria-label={texts.plan} style={{ padding: 24 }}>
            <CycleForm next={next} isTrip={isTrip} />
          </section>
        )}
      </Loaded>
    </>
  );
}

interface CycleFormProps {
  next: Schemas['NextCycleResponse'];
  isTrip: boolean;
}

function CycleForm({ next, isTrip }: CycleFormProps) {
  const { t, nameOf } = useLocale();
  const texts = t.planning.next;
  const [, navigate] = useLocation();
  const showDone = useDone();
  const { required, amount } = useRules();
  const form = useForm({
    initialValues: {
      name: isTrip ? '' : nameOf(next),
      income_amount: next.income_amount,
      start_date: isTrip ? '' : next.start_date,
      end_date: isTrip ? '' : next.end_date,
      side: isTrip,
    },
    validate: {
      name: required,
      income_amount: (income, { side }) => (side ? null : amount(income)),
      start_date: required,
      end_date: required,
    },
  });
  const { side, ...draft } = form.values;

  async function create(values: typeof form.values): Promise<void> {
    const body = { ...values, income_amount: side ? '0.00' : values.income_amount };
    const { data, operationId } = await queries.send('POST', '/cycles', { body });
    showDone(texts.created(data.name), operationId);
    navigate(`/cycles/${data.id}`);
  }

  return (
    <Form form={form} send={create} label={texts.create}>
      <Group grow align="flex-start">
        <TextInput label={t.fields.name} {...form.getInputProps('name')} />
        {!side && (
          <MoneyInput
            label={texts.opening}
            description={texts.openingHint}
            {...form.getInputProps('income_amount')}
          />
        )}
      </Group>
      <Group grow align="flex-start">
        <DayInput label={texts.starts} {...form.getInputProps('start_date')} />
        <DayInput label={texts.ends} {...form.getInputProps('end_date')} />
      </Group>
      <Switch
        label={texts.side}
        description={texts.sideHint}
        {...form.getInputProps('side', { type: 'checkbox' })}
      />
      {!side && draft.start_date && draft.end_date && <CyclePreview draft={draft} />}
    </Form>
  );
}

/** What a cycle would have, before it is created; it begins with what the forecast has then. */
export function CyclePreview({ draft }: { draft: Schemas['PreviewCycleDto'] }) {
  const { data: forecast, error } = useForecast();
  if (!forecast)
    return <Loaded state={{ data: undefined, error }} height={320} children={() => null} />;
  const { start_date: start } = draft;
  const opening_balance =
    start > forecast.today ? balanceOn(forecast, addDays(start, -1)) : forecast.opening_balance;
  return <PreviewFrom draft={{ ...draft, ...(opening_balance && { opening_balance }) }} />;
}

function PreviewFrom({ draft }: { draft: Schemas['PreviewCycleDto'] }) {
  const { t, locale, usd, day } = useLocale();
  const texts = t.planning.next;
  const rate = useRate(useMe().data?.today ?? '');
  const all = useQuery(queries.query('/budgets')).data;
  const { data, error } = usePreview(draft, compute);
  return (
    <Loaded
      state={{ error, data: rate && all && data ? { rate, all, ...data } : undefined }}
      height={320}
    >
      {({ rate, all, ...preview }) => {
        const { cycle, warnings } = preview;
        const { total_incomes, total_expenses } = cycle.summary;
        const { days, budgets } = withBudgets(preview, { all, rate });
        const [lowest] = days.toSorted((a, b) => compareAmounts(a.balance, b.balance));
        const end = days.at(-1);
        const dated = (entry: Schemas['ExpensePreview'] | Schemas['IncomePreview']) => ({
          ...entry,
          date: 'due_date' in entry ? entry.due_date : entry.income_date,
        });
        return (
          <section aria-label={texts.preview}>
            <Figures
              figures={[
                [texts.begins, usd(draft.opening_balance ?? '0.00')],
                [texts.incomes, usd(addAmounts(cycle.income_amount, total_incomes))],
                [
                  texts.expenses,
                  usd(total_expenses),
                  budgets !== '0.00' && texts.andBudgets(usd(budgets)),
                ],
                [
                  texts.endsWith(end ? day(end.date, 'day') : ''),
                  usd(end?.balance ?? '0.00'),
                  lowest && t.entries.lowest(usd(lowest.balance), day(lowest.date, 'day')),
                ],
              ]}
            />
            {warnings.map((warning) => (
              <Alert key={warning.code} color="red" mb="xs" py="xs">
                {warningMessage(warning, locale)}
              </Alert>
            ))}
            <DataTable
              label={texts.preview}
              groups={[
                { title: texts.incomes, items: preview.incomes.map(dated) },
                { title: texts.expenses, items: preview.expenses.map(dated) },
              ]}
              columns={[
                { cell: ({ date }) => day(date) },
                { cell: (entry) => <EntryName {...entry} /> },
                { from: 'sm', cell: ({ payment_method: method }) => method?.name },
                { isEnd: true, cell: (entry) => <Amount {...entry} /> },
                { isEnd: true, from: 'sm', cell: (entry) => usd(entry.amount_usd) },
              ]}
            />
          </section>
        );
      }}
    </Loaded>
  );
}

/** The days of a cash flow less what is set aside for budgets by then, as the forecast has them. */
function withBudgets(
  { cycle, expenses, incomes, cash_flow }: Schemas['PreviewResponse'],
  { all, rate }: { all: readonly Budget[]; rate: string },
) {
  const { budget_limits: limits, start_date: from, end_date: to } = cycle;
  const lefts = limits.map(({ budget_id: id, limit }) => {
    const own = all.find((budget) => budget.id === id)?.currency ?? 'USD';
    const total = (entries: Schemas['PreviewResponse']['expenses' | 'incomes']) => {
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
