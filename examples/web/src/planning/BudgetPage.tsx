/** A budget: what is left of it in a cycle, what it was spent on, and its last cycles. */
import { useState, type ReactNode } from 'react';
import { Anchor, Box, Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { daysBetween, fromCents, subtractAmounts, toCents } from 'expense-service-client';
import { Link } from 'wouter';
import {
  queries,
  useCycles,
  useMe,
  useQuery,
  useQueryList,
  useRate,
  type Budget,
  type Cycle,
} from '../api';
import { FormDrawer } from '../components/FormDrawer';
import { Card, Figures, Loaded, Nothing, PageHead, Pairs } from '../components/Page';
import { useTotal } from '../components/Total';
import { dateOf, isSettled, spentBy, useSettling } from '../entries/entry';
import type { Entry, ExpenseEntry, IncomeEntry } from '../entries/entry';
import { EntryDrawer } from '../entries/EntryForm';
import { EntryRow } from '../entries/EntryRow';
import { moveByKey } from '../entries/keys';
import { Spent } from '../entries/Spent';
import { useCycle } from '../entries/useCycle';
import { useLocale } from '../locale';
import { BudgetForm, UNUSED } from './Budgets';
import { amountIn, BudgetBar, isLimited, type Summary } from './BudgetUse';

const CYCLES_SHOWN = 5;

/** What the budget takes of a cycle. */
type Use = Summary & { cycle: Cycle };

const takenBy = (use: Use): string => subtractAmounts(use.total_amount, use.refunded_amount);

export function BudgetPage({ id }: { id: string }) {
  const { t, days } = useLocale();
  const [chosen, setChosen] = useState<string>();
  const [drawer, setDrawer] = useState<'edit' | 'spent'>();
  const today = useMe().data?.today ?? '';
  const budget = useQuery(queries.query('/budgets/{id}', { params: { path: { id } } }));
  const list = useCycles();
  const cycles = (list.data ?? [])
    .filter(({ side, start_date: start }) => !side && start <= today)
    .sort((a, b) => b.start_date.localeCompare(a.start_date))
    .slice(0, CYCLES_SHOWN);
  const query = { cycle_ids: cycles.map((each) => each.id).join() };
  const [report] = useQueryList(
    cycles.length > 0 ? [queries.query('/reports/budgets', { params: { query } })] : [],
  );
  const close = () => setDrawer(undefined);
  const data = list.data && (report?.data ?? cycles.length === 0) ? budget.data : undefined;
  const error = budget.error ?? list.error ?? report?.error;
  return (
    <Loaded state={{ data, error }} height={600}>
      {(budget) => {
        const uses = usesOf(budget, cycles, report?.data?.cycles ?? []);
        const shown = uses.find(({ cycle }) => cycle.id === chosen) ?? uses[0];
        const open = cycles.find(
          ({ end_date: end, status }) => end >= today && status !== 'completed',
        );
        return (
          <>
            <Box mb={-12}>
              <Anchor component={Link} href="/budgets" c="dimmed">
                {t.planning.budgets.title}
              </Anchor>
            </Box>
            <PageHead title={budget.name}>
              <span className="muted">{shown && days(shown.cycle)}</span>
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
            {!shown && <Nothing title={t.planning.budgets.noCycle} />}
            {shown && (
              <InCycle key={shown.cycle.id} use={shown} budgetId={id} today={today}>
                <LastCycles uses={uses} shown={shown} today={today} onChoose={setChosen} />
              </InCycle>
            )}
            <FormDrawer
              title={drawer === 'edit' ? budget.name : t.add.spent}
              opened={drawer !== undefined}
              isSheet={drawer === 'spent'}
              onClose={close}
            >
              {drawer === 'edit' && <BudgetForm budget={budget} cycle={open} onDone={close} />}
              {drawer === 'spent' && <Spent budgetId={id} onOther={close} onDone={close} />}
            </FormDrawer>
          </>
        );
      }}
    </Loaded>
  );
}

interface Reported {
  cycle: { id: string };
  by_budget: Summary[];
}

/** In each of the cycles, also in those that do not use it. */
const usesOf = ({ id, currency }: Budget, cycles: Cycle[], reported: Reported[]): Use[] =>
  cycles.map((cycle) => {
    const all = reported.find((each) => each.cycle.id === cycle.id)?.by_budget ?? [];
    const found = all.find(({ budget }) => budget?.id === id);
    return { ...UNUSED, currency, limit: null, left: null, ...found, cycle };
  });

interface InCycleProps {
  use: Use;
  budgetId: string;
  today: string;
  /** Beside the entries. */
  children: ReactNode;
}

/** Its figures and entries in a cycle. */
function InCycle({ use, budgetId, today, children }: InCycleProps) {
  const { t } = useLocale();
  const [opened, setOpened] = useState<Entry>();
  const settling = useSettling();
  const { cycle } = use;
  const texts = t.planning.budget;
  const onOpen = cycle.status === 'completed' ? undefined : setOpened;
  return (
    <Loaded state={useCycle(cycle.id)} height={480}>
      {(content) => {
        const isOwn = ({ budget }: Entry) => budget?.id === budgetId;
        const expenses = content.expenses.filter(isOwn);
        const refunds = content.incomes.filter(isOwn);
        const entries: Entry[] = [...expenses, ...refunds];
        return (
          <>
            <section className="card group" aria-label={t.entries.figures}>
              <BudgetFigures use={use} expenses={expenses} refunds={refunds} today={today} />
            </section>
            <div className="columns">
              <Card
                flush
                title={texts.expenses}
                end={<span className="muted">{entries.length}</span>}
              >
                {entries.length === 0 && <Nothing title={texts.none} />}
                <div
                  role="group"
                  aria-label={texts.expenses}
                  className="group"
                  onKeyDown={moveByKey}
                >
                  {entries
                    .sort((a, b) => dateOf(b).localeCompare(dateOf(a)))
                    .map((entry) => (
                      <EntryRow key={entry.id} entry={entry} settling={settling} onOpen={onOpen} />
                    ))}
                </div>
              </Card>
              {children}
            </div>
            <EntryDrawer
              opened={opened}
              entries={entries}
              cycle={cycle}
              onClose={() => setOpened(undefined)}
            />
          </>
        );
      }}
    </Loaded>
  );
}

type Figure = [title: string, amount: string, detail?: ReactNode];

interface FiguresProps {
  use: Use;
  expenses: ExpenseEntry[];
  refunds: IncomeEntry[];
  today: string;
}

/** What is left, what is spent, and how much that is for each day. */
function BudgetFigures({ use, expenses, refunds, today }: FiguresProps) {
  const { t, money } = useLocale();
  const rate = useRate(today);
  const total = useTotal();
  const texts = t.planning.budget;
  const { currency, limit, left } = use;
  const { start_date: from, end_date: to } = use.cycle;
  if (!rate) return null;
  const centsOf = (entries: Entry[]) =>
    entries.reduce((sum, each) => sum + toCents(amountIn(each, currency, rate)), 0n);
  const paid = expenses.filter((each) => isSettled(spentBy(today, each)));
  const spent = centsOf(paid) - centsOf(refunds.filter(isSettled));
  const planned = toCents(takenBy(use)) - spent;
  const format = (cents: bigint) => money(fromCents(cents), currency);
  /** Of a budget in dollars, for a user who prefers pesos. */
  const inPesos = (usd: string) => {
    const { text, currency: preferred } = total(usd);
    return currency === 'USD' && preferred === 'MXN' && text;
  };
  const perDay = (cents: bigint, until: { from: string; to: string }) =>
    format(cents / BigInt(daysBetween(until) + 1));
  const average = perDay(spent, { from, to: today > to ? to : today });
  const details = [
    inPesos(fromCents(spent)),
    limit && texts.ofLimit(money(limit, currency)),
    planned > 0n && texts.andPlanned(format(planned)),
  ];
  const isOpen = left && toCents(left) > 0n && today <= to;
  return (
    <Figures
      figures={[
        ...(left ? [[texts.left, money(left, currency), inPesos(left)] satisfies Figure] : []),
        [texts.spent, format(spent), details.filter(Boolean).join(', ')],
        isOpen
          ? [
              texts.aDay(daysBetween({ from: today, to }) + 1),
              perDay(toCents(left), { from: today, to }),
              texts.soFar(average),
            ]
          : [texts.onAverage, average],
      ]}
    />
  );
}

interface LastCyclesProps {
  uses: Use[];
  shown: Use;
  today: string;
  onChoose: (id: string) => void;
}

/** Each can be chosen, to see what the budget was spent on. */
function LastCycles({ uses, shown, today, onChoose }: LastCyclesProps) {
  const { t, days, money } = useLocale();
  const texts = t.planning.budget;
  const { over, left } = t.planning.budgets;
  const closed = uses.filter(({ cycle }) => cycle.status === 'completed');
  const total = closed.reduce((sum, use) => sum + toCents(takenBy(use)), 0n);
  const average = fromCents(total / BigInt(closed.length || 1));
  const stateOf = ({ cycle, left: rest, currency }: Use) => {
    if (cycle.end_date >= today) return texts.ongoing;
    if (!rest?.startsWith('-')) return rest && left(money(rest, currency));
    return <span className="danger">{over(money(rest.slice(1), currency))}</span>;
  };
  return (
    <Card title={texts.lastCycles}>
      {uses.toReversed().map((use) => (
        <UnstyledButton
          key={use.cycle.id}
          display="block"
          w="100%"
          py={6}
          aria-pressed={use === shown}
          onClick={() => onChoose(use.cycle.id)}
        >
          <Pairs
            pairs={[
              [
                <span style={{ fontWeight: use === shown ? 600 : 400 }}>{days(use.cycle)}</span>,
                <>
                  <b>{money(takenBy(use), use.currency)}</b>{' '}
                  <span className="muted">{stateOf(use)}</span>
                </>,
              ],
            ]}
          />
          {isLimited(use) && <BudgetBar {...use} />}
        </UnstyledButton>
      ))}
      {closed.length > 0 && (
        <p className="muted">{texts.average(closed.length, money(average, shown.currency))}</p>
      )}
    </Card>
  );
}
