import { Skeleton } from '@mantine/core';
import { isNegative, type Schemas } from 'expense-service-client';
import { client, queries, useQuery } from '../api';
import { useLocale } from '../locale';
import { usePreview } from '../planning/usePreview';
import { warningText } from '../planning/warnings';
import { showMessage } from '../write';
import { FieldsForm } from './FieldsForm';

type FirstCycle = Schemas['CreateCycleDto'];

/** The six weeks from today, and what they would have. `income` is in USD. */
export function FirstCycle({ income }: { income: string }) {
  const { t, days } = useLocale();
  const { data: next } = useQuery(queries.query('/cycles/next'));
  if (!next) return null;
  const { start_date, end_date } = next;
  const cycle = { start_date, end_date, income_amount: income };

  async function create({ name }: { name: string }): Promise<void> {
    const { data } = await queries.send('POST', '/cycles', { body: { ...cycle, name } });
    const params = { path: { id: data.id } };
    await queries.send('PUT', '/cycles/{id}', { params, body: { status: 'active' } });
    showMessage(t.account.steps.created);
  }

  return (
    <>
      <Preview cycle={cycle} />
      <FieldsForm
        fields={{ name: { label: t.fields.name, value: days(next) } }}
        send={create}
        label={t.account.steps.cycle}
      />
    </>
  );
}

const compute = (body: Omit<FirstCycle, 'name'>, signal: AbortSignal) =>
  client.POST('/cycles/preview', { body, signal });

function Preview({ cycle }: { cycle: Omit<FirstCycle, 'name'> }) {
  const locale = useLocale();
  const { t, day, usd } = locale;
  const s = t.account.steps;
  const { data } = usePreview(cycle, compute);
  if (!data) return <Skeleton height={80} />;
  const { lowest } = data.cash_flow;
  return (
    <div role="status" style={{ marginBottom: 16 }}>
      <p>{s.entries(data.incomes.length, data.expenses.length)}</p>
      <p className={isNegative(lowest.balance_usd) ? 'danger' : undefined}>
        <b>{s.lowest(usd(lowest.balance_usd), day(lowest.date))}</b>
      </p>
      <p>{s.remains(usd(data.cycle.remaining_balance), day(cycle.end_date))}</p>
      {data.warnings.map((warning) => (
        <p key={warning.code}>{warningText(warning, locale)}</p>
      ))}
    </div>
  );
}
