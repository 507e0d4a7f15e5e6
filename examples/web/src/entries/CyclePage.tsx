/** A cycle: its figures, its entries, and what can be done with all of it. */
import { useState, type ReactNode } from 'react';
import { ActionIcon, Badge, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDots } from '@tabler/icons-react';
import { addAmounts, addDays, daysBetween, planAgainstReality } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { queries, tagOf, useMe, useQuery, type Cycle, type Forecast } from '../api';
import { useStatements } from '../cards/statement';
import { Card, Figures, ItemMenu, Loaded, Nothing, PageHead } from '../components/Page';
import { useIsNarrow } from '../components/Page';
import { Form } from '../components/Form';
import { useRules } from '../components/inputs';
import { FormDrawer } from '../components/FormDrawer';
import { useLocale } from '../locale';
import { balanceOn, lowestOf } from '../overview/plan';
import { useForecast } from '../overview/usePlan';
import { useDone, useWrite } from '../write';
import { CarryOver } from './CarryOver';
import { inCycle, isByCard, isOpen, isSettled, spentBy, stateOf } from './entry';
import { totalUsd, useSettling } from './entry';
import type { Entry, ExpenseEntry, IncomeEntry, Kind } from './entry';
import { EntryDrawer } from './EntryForm';
import { EntryRow } from './EntryRow';
import { moveByKey } from './keys';

/** A cycle with its entries and the forecast; undefined until all have been read. */
export function useCycle(id: string) {
  const me = useMe();
  const forecast = useForecast();
  const cycle = useQuery(queries.query('/cycles/{id}', { params: { path: { id } } }));
  const params = { path: { cycle_id: id } };
  const expenses = useQuery(queries.query('/cycles/{cycle_id}/expenses', { params }));
  const incomes = useQuery(queries.query('/cycles/{cycle_id}/incomes', { params }));
  const { start_date: from, end_date: to } = cycle.data ?? {};
  const statements = useStatements(from && to ? { from, to } : undefined);
  const lists = expenses.data && incomes.data && { ...expenses.data, ...incomes.data };
  const data = me.data &&
    cycle.data &&
    forecast.data &&
    statements.data &&
    lists && {
      ...{ cycle: cycle.data, forecast: forecast.data },
      expenses: inCycle(lists.expenses, id, statements.data),
      incomes: inCycle(lists.incomes, id, statements.data),
    };
  const all = [me, cycle, expenses, incomes, forecast, statements];
  return { data, error: all.find(({ error }) => error !== undefined)?.error };
}

export function CyclePage({ id }: { id: string }) {
  return (
    <Loaded state={useCycle(id)} height={800}>
      {(content) => <Content {...content} />}
    </Loaded>
  );
}

interface ContentProps {
  cycle: Cycle;
  forecast: Forecast;
  expenses: ExpenseEntry[];
  incomes: IncomeEntry[];
}

function Content({ cycle, forecast, expenses, incomes }: ContentProps) {
  const { t } = useLocale();
  const settling = useSettling();
  const [opened, setOpened] = useState<Entry | Kind>();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const texts = t.entries;
  const entries = [...expenses, ...incomes];
  const isToDo = (each: Entry) => isOpen(each) && !settling.isDone(each);
  const isDone = (each: Entry) => isSettled(each) || settling.isDone(each);
  const open = expenses.filter(isToDo);
  const marked = open.filter(({ id }) => marks.includes(id));
  const onOpen = cycle.status === 'completed' ? undefined : setOpened;
  const toggle = (id: string) =>
    setMarks(marks.includes(id) ? marks.filter((each) => each !== id) : [...marks, id]);
  const byCard = expenses.filter((each) => isByCard(each) && stateOf(each) !== 'cancelled');
  const settled = expenses.filter((each) => isDone(each) && !isByCard(each)).reverse();
  const groups: EntryGroup[] = [
    { title: texts.expense.open, list: open },
    { title: t.cards.byCard, detail: t.cards.leaves, list: byCard, folds: true },
    { title: texts.expense.settled, list: settled, folds: true },
    {
      title: texts.expense.cancelled,
      list: expenses.filter((each) => stateOf(each) === 'cancelled'),
    },
    { title: texts.income.open, list: incomes.filter(isToDo) },
    { title: texts.income.settled, list: incomes.filter(isDone).reverse() },
  ];

  return (
    <>
      <Head cycle={cycle} onCarryOver={() => setMarks(open.map(({ id }) => id))}>
        {cycle.side && onOpen && (
          <Button variant="default" onClick={() => setOpened('expense')}>
            {t.overview.addExpense}
          </Button>
        )}
      </Head>
      <CycleFigures {...{ cycle, forecast, expenses, incomes }} />
      {entries.length === 0 && <Nothing title={texts.emptyTitle} text={texts.emptyText} />}
      {groups
        .filter(({ list }) => list.length > 0)
        .map((group) => (
          <GroupCard key={group.title} {...group}>
            {(entry) => (
              <EntryRow
                key={entry.id}
                {...{ entry, settling, onOpen, isMarked: marks.includes(entry.id) }}
                onMark={group.list === open && onOpen ? () => toggle(entry.id) : undefined}
              />
            )}
          </GroupCard>
        ))}
      {marked.length > 0 && (
        <CarryOver {...{ cycle, marked }} openCount={open.length} onDone={() => setMarks([])} />
      )}
      <EntryDrawer {...{ opened, entries, cycle }} onClose={() => setOpened(undefined)} />
    </>
  );
}

interface EntryGroup {
  title: string;
  detail?: string;
  list: Entry[];
  /** Whether only the first ones are shown at first. */
  folds?: boolean;
}

interface GroupCardProps extends EntryGroup {
  children: (entry: Entry) => ReactNode;
}

function GroupCard({ title, detail, list, folds = false, children }: GroupCardProps) {
  const { t, usd } = useLocale();
  const isNarrow = useIsNarrow();
  const [isWhole, setWhole] = useState(false);
  const shown = folds && !isWhole ? list.slice(0, isNarrow ? 5 : 7) : list;
  const figures = [String(list.length), usd(totalUsd(list)), detail].filter(Boolean).join(' · ');
  return (
    <Card {...{ flush: true, title }} end={<span className="muted">{figures}</span>}>
      <div role="group" aria-label={title} className="group" onKeyDown={moveByKey}>
        {shown.map(children)}
      </div>
      {list.length > shown.length && (
        <Button variant="subtle" m="sm" onClick={() => setWhole(true)}>
          {t.entries.showMoreOf(list.length - shown.length)}
        </Button>
      )}
    </Card>
  );
}

interface HeadProps {
  cycle: Cycle;
  onCarryOver: () => void;
  children: ReactNode;
}

function Head({ cycle, onCarryOver, children }: HeadProps) {
  const { t, days, nameOf } = useLocale();
  const { write } = useWrite();
  const showDone = useDone();
  const [isNaming, setNaming] = useState(false);
  const [, navigate] = useLocation();
  const today = useMe().data?.today ?? '';
  const { start_date: from, end_date: to, status } = cycle;
  const texts = t.entries;
  const name = nameOf(cycle);
  const params = { path: { id: cycle.id } };
  const version = { params, ifMatch: tagOf(cycle) };
  const put = (body: { status?: Cycle['status']; name?: string }) =>
    queries.send('PUT', '/cycles/{id}', { ...version, body });
  const activate = () =>
    write({
      ...{ name, done: `${name}: ${t.status.active}` },
      send: () => put({ status: 'active' }),
    });
  const sync = () => queries.send('POST', '/cycles/{id}/sync', { params });

  async function remove(): Promise<void> {
    const send = () => queries.send('DELETE', '/cycles/{id}', version);
    if (await write({ name, done: t.done.deleted(name), send })) navigate('/cycles');
  }
  async function rename(body: { name: string }): Promise<void> {
    showDone(t.done.saved(body.name), (await put(body)).operationId);
    setNaming(false);
  }
  const items = [
    { label: texts.carryOverAll, run: onCarryOver },
    !cycle.side && {
      label: texts.sync,
      run: () => write({ name, done: texts.synced, send: sync }),
    },
    { label: texts.rename, run: () => setNaming(true) },
    status === 'draft'
      ? { label: texts.activate, run: activate }
      : { label: texts.complete, run: () => navigate(`/cycles/${cycle.id}/close`) },
    { label: t.do.delete, run: remove },
  ].filter((item) => item !== false);
  return (
    <>
      <PageHead title={name}>
        {cycle.side && <span className="muted">{texts.beside(days(cycle))}</span>}
        {!cycle.side && today >= from && today <= to && (
          <span className="muted">
            {texts.dayOf(daysBetween({ from, to: today }) + 1, daysBetween({ from, to }) + 1)}
          </span>
        )}
        <Badge color={status === 'active' ? 'accent' : 'gray'}>{t.status[status]}</Badge>
        {children}
        {!cycle.side && (
          <Button component={Link} href="/cycles/next" variant="default">
            {texts.nextCycle}
          </Button>
        )}
        {status !== 'completed' && (
          <ItemMenu items={items}>
            <ActionIcon variant="default" size={36} aria-label={texts.moreOf}>
              <IconDots size={16} />
            </ActionIcon>
          </ItemMenu>
        )}
      </PageHead>
      <FormDrawer title={name} opened={isNaming} onClose={() => setNaming(false)}>
        <NameForm name={name} send={rename} />
      </FormDrawer>
    </>
  );
}

interface NameFormProps {
  name: string;
  send: (body: { name: string }) => Promise<void>;
}

function NameForm({ name, send }: NameFormProps) {
  const { t } = useLocale();
  const { required } = useRules();
  const form = useForm({ initialValues: { name }, validate: { name: required } });
  return (
    <Form form={form} send={send} label={t.do.save}>
      <TextInput label={t.fields.name} {...form.getInputProps('name')} />
    </Form>
  );
}

/** What there will be at its start and end, and what it has; of a trip what it costs. */
function CycleFigures({ cycle, forecast, expenses, incomes }: ContentProps) {
  const { t, usd, day } = useLocale();
  const texts = t.entries;
  const { total_incomes, total_expenses, income_count, expense_count } = cycle.summary;
  const spent = expenses.map((each) => spentBy(forecast.today, each));
  const paid = spent.filter(isSettled);
  const received = incomes.filter(isSettled);
  const inHand = usd(addAmounts(cycle.income_amount, totalUsd(received)));
  const { difference, planned, actual, unplanned } = planAgainstReality(spent);
  const { start_date: start, end_date: end } = cycle;
  const isOpened = cycle.status !== 'completed';
  const balance = (date: string) => (isOpened ? balanceOn(forecast, date) : undefined);
  const before = balance(addDays(start, -1));
  const after = balance(end);
  const lowest = lowestOf(forecast, start, end);
  const accounts = (date: string) => texts.inAccounts(day(date, 'day'));
  const all: [string, string, ReactNode?] = [
    texts.expenses,
    usd(total_expenses),
    (expenses.some(isByCard) ? texts.spentPart : texts.paidPart)(
      usd(totalUsd(paid)),
      paid.length,
      expense_count,
    ),
  ];
  const figures: (typeof all)[] = [
    ...(before ? [[accounts(addDays(start, -1)), usd(before)] satisfies typeof all] : []),
    [
      texts.incomes,
      usd(addAmounts(cycle.income_amount, total_incomes)),
      texts.receivedPart(inHand, received.length, income_count),
    ],
    all,
    ...(before
      ? []
      : [[texts.remains, usd(cycle.remaining_balance), texts.remainsText] satisfies typeof all]),
    after
      ? [
          accounts(end),
          usd(after),
          lowest && texts.lowest(usd(lowest.balance), day(lowest.date, 'day')),
        ]
      : [
          texts.plan,
          usd(difference, 'always'),
          `${texts.planText(usd(planned), usd(actual))} ${texts.unplannedText(usd(unplanned))}`,
        ],
  ];
  return (
    <section className="card group" aria-label={texts.figures}>
      <Figures figures={cycle.side ? [all] : figures} />
    </section>
  );
}
