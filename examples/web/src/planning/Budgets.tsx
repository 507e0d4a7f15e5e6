import { useState } from 'react';
import { Anchor, Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { formatNumber, parseAmount, type Schemas } from 'expense-service-client';
import { queries, tagOf, useMe, useQuery, useQueryList, type Budget, type Cycle } from '../api';
import { amountOf, FormButtons, FormDrawer, MoneyField, useSubmit } from '../components/forms';
import { Card, Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { ActiveButton } from './ActiveButton';
import { BudgetBar, BudgetLeft, BudgetLegend } from './BudgetBar';
import classes from './planning.module.css';

export function Budgets() {
  const { t, days } = useLocale();
  const texts = t.planning.budgets;
  const budgets = useQuery(queries.query('/budgets'));
  const today = useMe().data?.today;
  const cycles = useQuery(queries.query('/cycles', { params: { query: { date: today } } })).data;
  const current = today ? cycles?.cycles[0] : undefined;
  const [edited, setEdited] = useState<Budget | 'new'>();
  const add = (
    <Button variant="default" onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  const list = (shown: Budget[]) => (
    <ul className={classes.budgets}>
      {shown.map((budget) => (
        <li key={budget.id}>
          <Anchor
            component="button"
            c="var(--text)"
            ta="left"
            fw={500}
            onClick={() => setEdited(budget)}
          >
            {budget.name}
          </Anchor>
          <BudgetUse budget={budget} cycle={current} />
        </li>
      ))}
    </ul>
  );

  return (
    <Loaded state={budgets}>
      {(all) => {
        const active = all.filter((budget) => budget.active);
        const inactive = all.filter((budget) => !budget.active);
        return (
          <>
            <div className="page-head">
              <h1>{texts.title}</h1>
              <div className="end">{active.length > 0 && add}</div>
            </div>
            <Card
              title={current ? texts.inCycle(days(current)) : texts.noCycle}
              end={active.length > 0 && <BudgetLegend />}
              flush={active.length === 0}
            >
              {active.length > 0 ? (
                list(active)
              ) : (
                <Nothing title={texts.none} text={texts.noneText} action={add} />
              )}
            </Card>
            {inactive.length > 0 && <Card title={texts.inactive}>{list(inactive)}</Card>}
            <FormDrawer
              title={edited === 'new' ? texts.add : edited?.name}
              opened={edited !== undefined}
              onClose={() => setEdited(undefined)}
            >
              <BudgetForm
                budget={all.find(({ id }) => edited !== 'new' && id === edited?.id)}
                cycle={current?.status === 'completed' ? undefined : current}
                onDone={() => setEdited(undefined)}
              />
            </FormDrawer>
          </>
        );
      }}
    </Loaded>
  );
}

/** What a cycle has spent and plans to spend on a budget, or only its limit without a cycle. */
function BudgetUse({ budget, cycle }: { budget: Budget; cycle: Cycle | undefined }) {
  const { t, usd } = useLocale();
  const texts = t.planning.budgets;
  const path = { cycle_id: cycle?.id ?? '' };
  const [summary] = useQueryList(
    cycle ? [queries.query('/cycles/{cycle_id}/summary', { params: { path } })] : [],
  );
  const used = summary?.data?.by_budget.find((each) => each.budget?.id === budget.id);
  if (!used?.limit || !used.left) {
    return (
      <span className="muted">
        {used && usd(used.total_amount)}{' '}
        {budget.limit ? texts.limit(usd(budget.limit)) : texts.noLimit}
      </span>
    );
  }
  const { limit, left, paid_amount: paid, pending_amount: pending } = used;
  return (
    <>
      <BudgetLeft limit={limit} left={left} />
      <BudgetBar {...{ limit, paid, pending, left }} />
    </>
  );
}

interface BudgetFormProps {
  budget: Budget | undefined;
  /** The one of today, if it can change. */
  cycle: Cycle | undefined;
  onDone: () => void;
}

function BudgetForm({ budget, cycle, onDone }: BudgetFormProps) {
  const { t, locale, days } = useLocale();
  const texts = t.planning.budgets;
  const showDone = useDone();
  const form = useForm({
    initialValues: {
      name: budget?.name ?? '',
      limit: budget?.limit ? formatNumber(budget.limit, locale) : '',
      inCycle: true,
    },
    validate: {
      name: (name) => (name ? null : t.fields.required),
      limit: (text) => (text && !parseAmount(text, locale) ? t.fields.invalidAmount : null),
    },
  });
  const { save, problem, isSaving } = useSubmit(form, async ({ name, inCycle, ...values }) => {
    const body = { name, limit: values.limit ? amountOf(values.limit, locale) : null };
    const saved = budget
      ? await updateBudget(budget, body)
      : await queries.send('POST', '/budgets', { body });
    const isForCycle = cycle && inCycle && form.isDirty('limit');
    const limited = isForCycle ? await setLimit(cycle, saved.data) : undefined;
    showDone(t.done.saved(name), saved.operationId, limited?.operationId);
    onDone();
  });

  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput label={t.fields.name} data-autofocus {...form.getInputProps('name')} />
        <MoneyField
          label={texts.limitLabel}
          description={texts.limitHint}
          currency="USD"
          {...form.getInputProps('limit')}
        />
        {cycle && form.isDirty('limit') && (
          <Checkbox
            label={texts.thisCycle(days(cycle))}
            {...form.getInputProps('inCycle', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <FormButtons label={t.do.save} problem={problem} isSaving={isSaving} onCancel={onDone}>
        {budget && (
          <ActiveButton {...budget} send={(body) => updateBudget(budget, body)} onDone={onDone} />
        )}
      </FormButtons>
    </form>
  );
}

const updateBudget = (budget: Budget, body: Schemas['UpdateBudgetDto']) =>
  queries.send('PUT', '/budgets/{id}', {
    params: { path: { id: budget.id } },
    ifMatch: tagOf(budget),
    body,
  });

/** A stored cycle keeps its limits when those of the budgets change. */
function setLimit(cycle: Cycle, { id: budget_id, limit }: Budget) {
  const others = cycle.budget_limits.filter((each) => each.budget_id !== budget_id);
  return queries.send('PUT', '/cycles/{id}', {
    params: { path: { id: cycle.id } },
    ifMatch: tagOf(cycle),
    body: { budget_limits: limit ? [...others, { budget_id, limit }] : others },
  });
}
