import { Alert } from '@mantine/core';
import { warningMessage, type Schemas } from 'expense-service-client';
import { useLocation } from 'wouter';
import { client, queries, useQuery } from '../api';
import { DataTable } from '../components/DataTable';
import { Amount, Figures, Loaded, PageHead } from '../components/Page';
import { RecordForm } from '../components/RecordForm';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';
import { useDone } from '../write';

const compute = (body: Schemas['PreviewCycleDto'], signal: AbortSignal) =>
  client.POST('/cycles/preview', { body, signal });

export function NextCycle() {
  const { t, nameOf } = useLocale();
  const texts = t.planning.next;
  const [, navigate] = useLocation();
  const showDone = useDone();
  const proposal = useQuery(queries.query('/cycles/next'));
  const half = true;

  async function create(body: Schemas['NextCycleResponse']): Promise<void> {
    const { data, operationId } = await queries.send('POST', '/cycles', { body });
    showDone(texts.created(data.name), operationId);
    navigate(`/cycles/${data.id}`);
  }

  return (
    <>
      <PageHead title={texts.title} />
      <Loaded state={proposal} height={400}>
        {(next) => (
          <section className="card" aria-label={texts.plan} style={{ padding: 24 }}>
            <RecordForm<Schemas['NextCycleResponse']>
              fields={{
                name: { label: t.fields.name, value: nameOf(next), half },
                income_amount: {
                  ...{ label: texts.opening, kind: 'money', value: next.income_amount, half },
                  description: texts.openingHint,
                },
                start_date: { label: texts.starts, kind: 'day', value: next.start_date, half },
                end_date: { label: texts.ends, kind: 'day', value: next.end_date, half },
              }}
              send={create}
              label={texts.create}
            >
              {(body) => <CyclePreview draft={body} />}
            </RecordForm>
          </section>
        )}
      </Loaded>
    </>
  );
}

/** What a cycle would have, before it is created. */
export function CyclePreview({ draft }: { draft: Schemas['PreviewCycleDto'] }) {
  const { t, locale, usd, day } = useLocale();
  const texts = t.planning.next;
  return (
    <Loaded state={usePreview(draft, compute)} height={320}>
      {({ cycle, cash_flow: { lowest }, warnings, ...preview }) => {
        const { total_incomes, total_expenses } = cycle.summary;
        const dated = (entry: Schemas['ExpensePreview'] | Schemas['IncomePreview']) => ({
          ...entry,
          date: 'due_date' in entry ? entry.due_date : entry.income_date,
        });
        return (
          <section aria-label={texts.preview}>
            <Figures
              figures={[
                [texts.incomes, usd(total_incomes)],
                [texts.expenses, usd(total_expenses)],
                [texts.remains, usd(cycle.remaining_balance)],
                [texts.lowest, usd(lowest.balance_usd), day(lowest.date)],
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
                { cell: ({ description }) => description },
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
