/** A budget: what is left of it in a cycle, what it was spent on, and its last cycles. */
import { useState, type ReactNode } from 'react';
import { Anchor, Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import {
  addAmounts,
  daysBetween,
  fromCents,
  subtractAmounts,
  toCents,
} from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery, useQueryList, useRate, type Budget, type Cycle } from '../api';
import { useStatements } from '../cards/statement';
import { DataTable } from '../components/DataTable';
import { FormDrawer } from '../components/FormDrawer';
import { Amount, Card, Figures, Loaded, Nothing, PageHead, Pairs } from '../components/Page';
import { dateOf, inCycle, isExpense, isSettled, spentBy, stateOf } from '../entries/entry';
import type { Entry, ExpenseEntry, IncomeEntry } from '../entries/entry';
import { EntryDrawer } from '../entries/EntryForm';
import { Spent } from '../entries/Spent';
import { useLocale } from '../locale';
import { BudgetForm, UNUSED } from './Budgets';
import { amountIn, BudgetBar, isLimited, type Summary } from './BudgetUse';

const CYCLES_SHOWN = 5;

export function BudgetPage({ id }: { id: string }) {
  const budget = useQuery(queries.query('/budgets/{id}', { params: { path: { id } } }));
  const list = useQuery(queries.query('/cycles'));
  const today = useMe().data?.today ?? '';
  const cycles = list.data?.cycles
    .filter(({ side, start_date: start }) => !side && start <= today)
    .sort((a, b) => b.start_date.localeCompare(a.start_date))
    .slice(0, CYCLES_SHOWN);
  const state = {
    data: budget.data && today && cycles ? { budget: budget.data, cycles } : undefined,
    error: budget.error ?? list.error,
  };
  return (
    <Loaded state={state} height={600}>
      {(content) => <Content {...content} today={today} />}
    </Loaded>
  );
}

interface ContentProps {
  budget: Budget;
  /** The latest first. */
  cycles: Cycle[];
  today: string;
}

function Content({ budget, cycles, today }: ContentProps) {
  const { t, days } = useLocale();
  const [drawer, setDrawer] = useState<'edit' | 'spent'>();
  const [chosen, setChosen] = useState<string>();
  const close = () => setDrawer(undefined);
  const cycle = cycles.find(({ id }) => id === chosen) ?? cycles[0];
  const current = cycles.find(
    ({ end_date: end, status }) => end >= today && status !== 'completed',
  );
  const ids = cycles.map(({ id }) => id).join();
  const query = { cycle_ids: ids };
  const [report] = useQueryList(
    ids ? [queries.query('/reports/budgets', { params: { query } })] : [],
  );
  const useIn = ({ id }: Cycle): Summary | undefined => {
    const found = report?.data?.cycles.find((each) => each.cycle.id === id);
    const none = { ...UNUSED, currency: budget.currency, limit: null, left: null };
    return found && (found.by_budget.find((each) => each.budget?.id === budget.id) ?? none);
  };
  const used = cycle && useIn(cycle);
  return (
    <>
      <Anchor component={Link} href="/budgets" className="muted" fz={13} mb={-12}>
        {t.planning.budgets.title}
      </Anchor>
      <PageHead title={budget.name}>
        {cycle && <span className="muted">{days(cycle)}</span>}
        <Button variant="default" onClick={() => setDrawer('edit')}>
          {t.planning.budget.edit}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setDrawer('spent')}
        >
          {t.add.spent}
        </Button>
      </PageHead>
      {!cycle && <Nothing title={t.planning.budgets.noCycle} />}
      {cycle && (
        <Loaded state={{ data: used, error: report?.error }} height={480}>
          {(use) => (
            <InCycle key={cycle.id} cycle={cycle} use={use} budgetId={budget.id} today={today}>
              <LastCycles
                cycles={cycles}
                shown={cycle}
                useIn={useIn}
                today={today}
                onChoose={setChosen}
              />
            </InCycle>
          )}
        </Loaded>
      )}
      <FormDrawer
        title={drawer === 'edit' ? budget.name : t.add.spent}
        opened={drawer !== undefined}
        isSheet={drawer === 'spent'}
        onClose={close}
      >
        {drawer === 'edit' && <BudgetForm budget={budget} cycle={current} onDone={close} />}
        {drawer === 'spent' && <Spent onOther={close} onDone={close} />}
      </FormDrawer>
    </>
  );
}

interface InCycleProps {
  cycle: Cycle;
  use: Summary;
  budgetId: string;
  today: string;
  children: ReactNode;
}

/** Its figures and entries in a cycle. */
function InCycle({ cycle, use, budgetId, today, children }: InCycleProps) {
  const { t } = useLocale();
  const rate = useRate(today);
  const params = { path: { cycle_id: cycle.id }, query: { budget_id: budgetId } };
  const expenses = useQuery(queries.query('/cycles/{cycle_id}/expenses', { params }));
  const incomes = useQuery(
    queries.query('/cycles/{cycle_id}/incomes', { params: { path: params.path } }),
  );
  const { start_date: from, end_date: to } = cycle;
  const statements = useStatements({ from, to });
  const lists = expenses.data &&
    incomes.data &&
    statements.data && {
      expenses: inCycle(expenses.data.expenses, cycle.id, statements.data),
      refunds: inCycle(incomes.data.incomes, cycle.id, statements.data).filter(
        ({ budget }) => budget?.id === budgetId,
      ),
    };
  const data = lists && rate ? { ...lists, rate } : undefined;
  const error = expenses.error ?? incomes.error ?? statements.error;
  return (
    <Loaded state={{ data, error }} height={480}>
      {(read) => (
        <>
          <section className="card group" aria-label={t.entries.figures}>
            <BudgetFigures cycle={cycle} use={use} today={today} {...read} />
          </section>
          <div className="columns">
            <Entries cycle={cycle} entries={[...read.expenses, ...read.refunds]} />
            {children}
          </div>
        </>
      )}
    </Loaded>
  );
}

interface FiguresProps {
  cycle: Cycle;
  use: Summary;
  expenses: ExpenseEntry[];
  refunds: IncomeEntry[];
  today: string;
  rate: string;
}

function BudgetFigures({ cycle, use, expenses, refunds, today, rate }: FiguresProps) {
  const { t, money } = useLocale();
  const texts = t.planning.budget;
  const { currency, limit, left } = use;
  const { start_date: from, end_date: to } = cycle;
  const totalOf = (entries: readonly Entry[]) =>
    addAmounts(...entries.map((each) => amountIn(each, currency, rate)));
  const paid = expenses.filter((each) => isSettled(spentBy(today, each)));
  const spent = subtractAmounts(totalOf(paid), totalOf(refunds.filter(isSettled)));
  const all = subtractAmounts(use.total_amount, use.refunded_amount);
  const planned = subtractAmounts(all, spent);
  const perDay = (amount: string, days: number) =>
    money(fromCents(toCents(amount) / BigInt(days)), currency);
  const isPast = today > to;
  const daysSoFar = daysBetween({ from, to: isPast ? to : today }) + 1;
  const daysLeft = daysBetween({ from: today, to }) + 1;
  const average = perDay(spent, daysSoFar);
  const details = [
    limit && texts.ofLimit(money(limit, currency)),
    toCents(planned) > 0n && texts.andPlanned(money(planned, currency)),
  ];
  const isLeft = left && toCents(left) > 0n && !isPast;
  return (
    <Figures
      figures={[
        ...(left ? [[texts.left, money(left, currency)] satisfies [string, string]] : []),
        [texts.spent, money(spent, currency), details.filter(Boolean).join(', ')],
        isLeft
          ? [texts.aDay(daysLeft), perDay(left, daysLeft), texts.soFar(average)]
          : [texts.onAverage, average],
      ]}
    />
  );
}

interface EntriesProps {
  cycle: Cycle;
  entries: Entry[];
}

function Entries({ cycle, entries }: EntriesProps) {
  const { t, day, usd } = useLocale();
  const [opened, setOpened] = useState<Entry>();
  const texts = t.planning.budget;
  const canOpen = cycle.status !== 'completed';
  const detailOf = (entry: Entry) =>
    [entry.payment_method?.name, t.status[stateOf(entry)], !isExpense(entry) && texts.came]
      .filter(Boolean)
      .join(' · ');
  return (
    <Card title={`${texts.expenses} ${entries.length}`}>
      {entries.length === 0 && <p className="muted">{texts.none}</p>}
      {entries.length > 0 && (
        <DataTable
          label={texts.expenses}
          groups={[{ items: entries.toSorted((a, b) => dateOf(b).localeCompare(dateOf(a))) }]}
          columns={[
            { cell: (entry) => <span className="muted">{day(dateOf(entry))}</span> },
            {
              cell: (entry) => (
                <>
                  {canOpen ? (
                    <UnstyledButton fw={500} onClick={() => setOpened(entry)}>
                      {entry.description}
                    </UnstyledButton>
                  ) : (
                    entry.description
                  )}
                  <div className="detail muted">{detailOf(entry)}</div>
                </>
              ),
            },
            {
              isEnd: true,
              cell: (entry) => (
                <>
                  {!isExpense(entry) && '−'}
                  <Amount amount={entry.amount} currency={entry.currency} />
                  {entry.currency === 'MXN' && (
                    <div className="detail muted">{usd(entry.amount_usd)}</div>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <EntryDrawer
        opened={opened}
        entries={entries}
        cycle={cycle}
        onClose={() => setOpened(undefined)}
      />
    </Card>
  );
}

interface LastCyclesProps {
  cycles: Cycle[];
  shown: Cycle;
  useIn: (cycle: Cycle) => Summary | undefined;
  today: string;
  onChoose: (id: string) => void;
}

/** Each can be chosen, to see what the budget was spent on. */
function LastCycles({ cycles, shown, useIn, today, onChoose }: LastCyclesProps) {
  const { t, days, money } = useLocale();
  const texts = t.planning.budget;
  const spentIn = (cycle: Cycle): string => {
    const use = useIn(cycle);
    return use ? subtractAmounts(use.total_amount, use.refunded_amount) : '0.00';
  };
  const closed = cycles.filter(({ status }) => status === 'completed');
  const total = closed.reduce((sum, cycle) => sum + toCents(spentIn(cycle)), 0n);
  const currency = useIn(shown)?.currency ?? 'USD';
  const average = fromCents(total / BigInt(closed.length || 1));
  function stateIn(use: Summary, isOngoing: boolean) {
    if (isOngoing) return <span className="muted">{texts.ongoing}</span>;
    if (!use.left) return null;
    const { over, left } = t.planning.budgets;
    return use.left.startsWith('-') ? (
      <span className="danger">{over(money(use.left.slice(1), currency))}</span>
    ) : (
      <span className="muted">{left(money(use.left, currency))}</span>
    );
  }
  return (
    <Card title={texts.lastCycles}>
      {cycles.toReversed().map((cycle) => {
        const use = useIn(cycle);
        return (
          <UnstyledButton
            key={cycle.id}
            display="block"
            w="100%"
            py={6}
            aria-pressed={cycle === shown}
            aria-label={texts.show(days(cycle))}
            onClick={() => onChoose(cycle.id)}
          >
            <Pairs
              pairs={[
                [
                  cycle === shown ? <b>{days(cycle)}</b> : days(cycle),
                  <>
                    <b>{money(spentIn(cycle), currency)}</b>{' '}
                    {use && stateIn(use, cycle.end_date >= today)}
                  </>,
                ],
              ]}
            />
            {use && isLimited(use) && <BudgetBar {...use} />}
          </UnstyledButton>
        );
      })}
      {closed.length > 0 && (
        <p className="muted">{texts.average(closed.length, money(average, currency))}</p>
      )}
    </Card>
  );
}
