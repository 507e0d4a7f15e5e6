import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { queries, tagOf, useMe, useQuery, useQueryList } from '../api';
import type { Budget, Cycle } from '../api';
import { Form } from '../components/Form';
import { MoneyInput, optionsOf, orNull, useRules } from '../components/inputs';
import { PageHead } from '../components/Page';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { BudgetBar, BudgetLeft, BudgetLegend, isLimited } from './BudgetUse';
import { useActive } from './useActive';

/** What a cycle without entries has of a budget. */
export const UNUSED = {
  budget: null,
  total_amount: '0.00',
  paid_amount: '0.00',
  pending_amount: '0.00',
  refunded_amount: '0.00',
  total_amount_usd: '0.00',
  expense_count: 0,
};

export function Budgets() {
  const { t, days, money } = useLocale();
  const texts = t.planning.budgets;
  const today = useMe().data?.today;
  const cycles = useQuery(queries.query('/cycles', { params: { query: { date: today } } })).data;
  const current = today ? cycles?.cycles.find(({ side }) => !side) : undefined;
  const summaryOf = ({ id }: Cycle) =>
    queries.query('/cycles/{cycle_id}/summary', { params: { path: { cycle_id: id } } });
  const [summary] = useQueryList(current ? [summaryOf(current)] : []);
  return (
    <>
      <PageHead title={texts.title} />
      <RecordList
        title={current ? texts.inCycle(days(current)) : texts.noCycle}
        text={texts.noneText}
        query={queries.query('/budgets')}
        height={438}
        href={({ id }) => `/budgets/${id}`}
        end={<BudgetLegend />}
        row={({ id, name, limit, currency }) => {
          const use = summary?.data?.by_budget.find(({ budget }) => budget?.id === id);
          // Until the cycle has been read, the bar is empty.
          const shown = use ?? (current && { ...UNUSED, currency, limit, left: limit });
          if (!shown || !isLimited(shown)) {
            const end = limit ? texts.limit(money(limit, currency)) : texts.noLimit;
            return { name, end: <span className="muted">{end}</span> };
          }
          return { name, end: <BudgetLeft {...shown} />, below: <BudgetBar {...shown} /> };
        }}
        form={(budget, close) => (
          <BudgetForm
            budget={budget}
            cycle={current?.status === 'completed' ? undefined : current}
            onDone={close}
          />
        )}
      />
    </>
  );
}

interface BudgetFormProps {
  budget?: Budget | undefined;
  /** The one of today, if it can change. */
  cycle?: Cycle | undefined;
  onDone: () => void;
  onCancel?: () => void;
  cancelLabel?: string;
}

export function BudgetForm({ budget, cycle, onDone, ...props }: BudgetFormProps) {
  const { t, days } = useLocale();
  const texts = t.planning.budgets;
  const showDone = useDone();
  const { required, optionalAmount } = useRules();
  const preferred = useMe().data?.preferred_currency ?? 'USD';
  const put = (body: Schemas['UpdateBudgetDto']) =>
    queries.send('PUT', '/budgets/{id}', {
      params: { path: { id: budget?.id ?? '' } },
      ifMatch: budget && tagOf(budget),
      body,
    });
  const actions = useActive(budget && { ...budget, put, onDone });
  const form = useForm({
    initialValues: {
      name: budget?.name ?? '',
      limit: budget?.limit ?? '',
      /** Of a new one; else it stays. */
      currency: budget?.currency ?? preferred,
      scope: 'cycle',
    },
    validate: { name: required, limit: optionalAmount },
  });
  const hasNewLimit = orNull(form.values.limit) !== (budget?.limit ?? null);

  async function save({ name, currency, scope, ...values }: typeof form.values): Promise<void> {
    const limit = orNull(values.limit);
    const saved = budget
      ? await put({ name, limit })
      : await queries.send('POST', '/budgets', { body: { name, limit, currency } });
    const isNow = cycle && hasNewLimit && scope === 'cycle';
    const limited = isNow ? await setLimit(cycle, saved.data) : undefined;
    showDone(t.done.saved(name), saved.operationId, limited?.operationId);
    onDone();
  }

  return (
    <Form form={form} send={save} label={t.do.save} actions={actions} {...props}>
      <TextInput label={t.fields.name} {...form.getInputProps('name')} />
      <MoneyInput
        label={texts.limitLabel}
        description={budget ? texts.limitHint : `${texts.limitHint}. ${texts.currencyHint}`}
        currency={form.values.currency}
        currencyProps={budget ? undefined : form.getInputProps('currency')}
        {...form.getInputProps('limit')}
      />
      {cycle && hasNewLimit && (
        <Select
          label={texts.scope}
          data={optionsOf({ cycle: texts.thisCycle(days(cycle)), later: texts.laterCycles })}
          {...form.getInputProps('scope')}
        />
      )}
    </Form>
  );
}

/** A stored cycle keeps its limits when those of the budgets change. */
function setLimit(cycle: Cycle, { id: budget_id, limit }: Budget) {
  const others = cycle.budget_limits.filter((each) => each.budget_id !== budget_id);
  return queries.send('PUT', '/cycles/{id}', {
    params: { path: { id: cycle.id } },
    ifMatch: tagOf(cycle),
    body: { budget_limits: limit ? [...others, { budget_id, limit }] : others },
  });
}
