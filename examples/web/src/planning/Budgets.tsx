import type { Schemas } from 'expense-service-client';
import { queries, tagOf, useMe, useQuery, useQueryList } from '../api';
import type { Budget, Currency, Cycle } from '../api';
import { PageHead } from '../components/Page';
import { RecordForm } from '../components/RecordForm';
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
}

interface Body {
  name: string;
  limit: string | null;
  /** Of a new one. */
  currency: Currency;
  scope: 'cycle' | 'later';
}

export function BudgetForm({ budget, cycle, onDone }: BudgetFormProps) {
  const { t, days } = useLocale();
  const texts = t.planning.budgets;
  const showDone = useDone();
  const put = (body: Schemas['UpdateBudgetDto']) =>
    queries.send('PUT', '/budgets/{id}', {
      ...{ params: { path: { id: budget?.id ?? '' } }, ifMatch: budget && tagOf(budget), body },
    });
  const actions = useActive(budget && { ...budget, put, onDone });
  const preferred = useMe().data?.preferred_currency;
  if (!preferred) return null;

  async function save({ scope, ...body }: Body): Promise<void> {
    const saved = budget ? await put(body) : await queries.send('POST', '/budgets', { body });
    const limited = cycle && scope === 'cycle' ? await setLimit(cycle, saved.data) : undefined;
    showDone(t.done.saved(body.name), saved.operationId, limited?.operationId);
    onDone();
  }

  return (
    <RecordForm<Body>
      fields={{
        name: { label: t.fields.name, value: budget?.name },
        limit: {
          ...{ label: texts.limitLabel, kind: 'money', value: budget?.limit, optional: true },
          ...(budget ? { unit: () => budget.currency } : { currency: 'currency' }),
          description: budget ? texts.limitHint : `${texts.limitHint}. ${texts.currencyHint}`,
        },
        currency: { value: preferred, when: () => !budget },
        scope: {
          ...{ label: texts.scope, value: 'cycle' },
          when: ({ limit }) => cycle !== undefined && limit !== (budget?.limit ?? null),
          options: { cycle: cycle ? texts.thisCycle(days(cycle)) : '', later: texts.laterCycles },
        },
      }}
      send={save}
      label={t.do.save}
      actions={actions}
    />
  );
}

/** A stored cycle keeps its limits when those of the budgets change. */
function setLimit(cycle: Cycle, { id: budget_id, limit }: Budget) {
  const others = cycle.budget_limits.filter((each) => each.budget_id !== budget_id);
  return queries.send('PUT', '/cycles/{id}', {
    ...{ params: { path: { id: cycle.id } }, ifMatch: tagOf(cycle) },
    body: { budget_limits: limit ? [...others, { budget_id, limit }] : others },
  });
}
