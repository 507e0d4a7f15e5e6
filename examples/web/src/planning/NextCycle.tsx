import { Alert, List, SimpleGrid, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  formatNumber,
  isNegative,
  messageOf,
  parseAmount,
  type Schemas,
} from 'expense-service-client';
import { useLocation } from 'wouter';
import { client, queries, useQuery } from '../api';
import { amountOf, DayField, FormButtons, MoneyField, useSubmit } from '../components/forms';
import { Amount, Card, Loaded, Loading } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import classes from './planning.module.css';
import { usePreview } from './usePreview';
import { warningText } from './warnings';

const compute = (body: Schemas['PreviewCycleDto'], signal: AbortSignal) =>
  client.POST('/cycles/preview', { body, signal });

export function NextCycle() {
  const { t } = useLocale();
  const proposal = useQuery(queries.query('/cycles/next'));
  return (
    <>
      <h1>{t.planning.next.title}</h1>
      <Loaded state={proposal}>{(data) => <Plan proposal={data} />}</Loaded>
    </>
  );
}

function Plan({ proposal }: { proposal: Schemas['NextCycleResponse'] }) {
  const { t, locale, language } = useLocale();
  const texts = t.planning.next;
  const [, navigate] = useLocation();
  const showDone = useDone();
  const form = useForm({
    initialValues: { ...proposal, income_amount: formatNumber(proposal.income_amount, locale) },
    validate: {
      name: (name) => (name ? null : t.fields.required),
      income_amount: (text) => (parseAmount(text, locale) ? null : t.fields.invalidAmount),
    },
  });
  const draft = { ...form.values, income_amount: amountOf(form.values.income_amount, locale) };
  const preview = usePreview(draft, compute);
  const { save, problem, isSaving } = useSubmit(form, async () => {
    const { data, operationId } = await queries.send('POST', '/cycles', { body: draft });
    showDone(texts.created(data.name), operationId);
    navigate(`/cycles/${data.id}`);
  });
  const input = form.getInputProps;

  return (
    <>
      <Card title={texts.plan}>
        <form onSubmit={save} noValidate>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            <TextInput label={t.fields.name} {...input('name')} />
            <DayField label={texts.starts} {...input('start_date')} />
            <DayField label={texts.ends} {...input('end_date')} />
            <MoneyField label={texts.opening} currency="USD" {...input('income_amount')} />
          </SimpleGrid>
          <FormButtons label={texts.create} problem={problem} isSaving={isSaving} />
        </form>
      </Card>
      {preview.error !== undefined && (
        <Alert color="red" role="alert">
          {messageOf(preview.error, language)}
        </Alert>
      )}
      {preview.data && <Preview preview={preview.data} />}
      {!preview.data && !preview.error && <Loading />}
    </>
  );
}

function Preview({ preview }: { preview: Schemas['PreviewResponse'] }) {
  const locale = useLocale();
  const { t, usd, day } = locale;
  const texts = t.planning.next;
  const { cycle, cash_flow, warnings } = preview;
  const { date, balance_usd } = cash_flow.lowest;
  const figures = [
    { label: texts.incomes, amount: cycle.summary.total_incomes },
    { label: texts.expenses, amount: cycle.summary.total_expenses },
    { label: texts.remains, amount: cycle.remaining_balance },
    { label: `${texts.lowest}, ${day(date)}`, amount: balance_usd },
  ];
  return (
    <>
      <Card title={texts.preview}>
        <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }}>
          {figures.map(({ label, amount }) => (
            <div key={label}>
              <dt className="muted">{label}</dt>
              <dd className={isNegative(amount) ? 'danger' : ''}>
                <b style={{ fontSize: 20 }}>{usd(amount)}</b>
              </dd>
            </div>
          ))}
        </SimpleGrid>
        <List spacing="xs" mt="md" listStyleType="disc">
          {warnings.map((warning) => (
            <List.Item key={warning.code}>{warningText(warning, locale)}</List.Item>
          ))}
        </List>
      </Card>
      <div className="columns">
        <Entries
          title={texts.expenses}
          none={texts.noExpenses}
          entries={preview.expenses.map((each) => ({ ...each, date: each.due_date }))}
        />
        <Entries
          title={texts.incomes}
          none={texts.noIncomes}
          entries={preview.incomes.map((each) => ({ ...each, date: each.income_date }))}
        />
      </div>
    </>
  );
}

type Entry = (Schemas['ExpensePreview'] | Schemas['IncomePreview']) & { date: string };

interface EntriesProps {
  title: string;
  none: string;
  entries: readonly Entry[];
}

/** What the cycle would get from the templates. */
function Entries({ title, none, entries }: EntriesProps) {
  const { day, usd } = useLocale();
  return (
    <Card title={title}>
      {entries.length === 0 && none}
      <Table horizontalSpacing={0} className={classes.table}>
        <Table.Tbody>
          {entries.map((entry, i) => (
            <Table.Tr key={i}>
              <Table.Td>{day(entry.date)}</Table.Td>
              <Table.Td>
                {entry.description}
                <div className="detail muted">{entry.payment_method?.name}</div>
              </Table.Td>
              <Table.Td className="num">
                {usd(entry.amount_usd)}
                {entry.currency !== 'USD' && (
                  <div className="detail muted">
                    <Amount amount={entry.amount} currency={entry.currency} />
                  </div>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
