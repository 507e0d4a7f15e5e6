/** A cycle: its figures, its entries, and what can be done with all of it. */
import { useState } from 'react';
import { ActionIcon, Badge, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { addAmounts, daysBetween, planAgainstReality } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { queries, tagOf, useMe, useQuery, type Cycle } from '../api';
import { Card, Figures, ItemMenu, Loaded, Nothing, PageHead } from '../components/Page';
import { FormDrawer, RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { useDone, useWrite, type Write } from '../write';
import { CarryOver } from './CarryOver';
import { isOpen, isSettled, stateOf, totalUsd, useSettling, type Entry } from './entry';
import type { ExpenseEntry, IncomeEntry } from './entry';
import { EntryDrawer } from './EntryForm';
import { EntryRow } from './EntryRow';
import { moveByKey } from './keys';

export function CyclePage({ id }: { id: string }) {
  const me = useMe();
  const cycle = useQuery(queries.query('/cycles/{id}', { params: { path: { id } } }));
  const params = { path: { cycle_id: id } };
  const expenses = useQuery(queries.query('/cycles/{cycle_id}/expenses', { params }));
  const incomes = useQuery(queries.query('/cycles/{cycle_id}/incomes', { params }));
  const lists = expenses.data && incomes.data && { ...expenses.data, ...incomes.data };
  const data = me.data &&
    cycle.data &&
    lists && {
      cycle: cycle.data,
      expenses: lists.expenses.map((each) => ({ ...each, cycleId: id })),
      incomes: lists.incomes.map((each) => ({ ...each, cycleId: id })),
    };
  const state = { data, error: me.error ?? cycle.error ?? expenses.error ?? incomes.error };
  return (
    <Loaded state={state} height={800}>
      {(content) => <Content {...content} />}
    </Loaded>
  );
}

interface ContentProps {
  cycle: Cycle;
  expenses: ExpenseEntry[];
  incomes: IncomeEntry[];
}

function Content({ cycle, expenses, incomes }: ContentProps) {
  const { t, usd } = useLocale();
  const settling = useSettling();
  const [opened, setOpened] = useState<Entry>();
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
  const groups: [string, Entry[]][] = [
    [texts.expense.open, open],
    [texts.expense.settled, expenses.filter(isDone).reverse()],
    [texts.expense.cancelled, expenses.filter((each) => stateOf(each) === 'cancelled')],
    [texts.income.open, incomes.filter(isToDo)],
    [texts.income.settled, incomes.filter(isDone).reverse()],
  ];

  return (
    <>
      <Head {...{ cycle, open }} onCarryOver={() => setMarks(open.map(({ id }) => id))} />
      <CycleFigures {...{ cycle, expenses, incomes }} />
      {entries.length === 0 && <Nothing title={texts.emptyTitle} text={texts.emptyText} />}
      {groups
        .filter(([, list]) => list.length > 0)
        .map(([title, list]) => (
          <Card
            key={title}
            {...{ flush: true, title }}
            end={<span className="muted">{`${list.length} · ${usd(totalUsd(list))}`}</span>}
          >
            <div role="group" aria-label={title} className="group" onKeyDown={moveByKey}>
              {list.map((entry) => (
                <EntryRow
                  key={entry.id}
                  {...{ entry, settling, onOpen, isMarked: marks.includes(entry.id) }}
                  onMark={list === open && onOpen ? () => toggle(entry.id) : undefined}
                />
              ))}
            </div>
          </Card>
        ))}
      {marked.length > 0 && (
        <CarryOver {...{ cycle, marked }} openCount={open.length} onDone={() => setMarks([])} />
      )}
      <EntryDrawer {...{ opened, entries }} onClose={() => setOpened(undefined)} />
    </>
  );
}

interface HeadProps {
  cycle: Cycle;
  open: ExpenseEntry[];
  onCarryOver: () => void;
}

function Head({ cycle, open, onCarryOver }: HeadProps) {
  const { t, usd, nameOf } = useLocale();
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
  const change = (next: Cycle['status'], send: Write['send'] = () => put({ status: next })) =>
    write({ name, done: `${name}: ${t.status[next]}`, send });
  const sync = () => queries.send('POST', '/cycles/{id}/sync', { params });

  /** A completed cycle is final: nothing takes it back, and what it has leaves the plan. */
  async function complete(): Promise<void> {
    const remains = usd(cycle.remaining_balance);
    if (!confirm(texts.completeQuestion(open.length, usd(totalUsd(open)), remains))) return;
    await change('completed', async () => {
      await put({ status: 'completed' });
      return { operationId: undefined };
    });
  }
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
    { label: texts.sync, run: () => write({ name, done: texts.synced, send: sync }) },
    { label: texts.rename, run: () => setNaming(true) },
    status === 'draft'
      ? { label: texts.activate, run: () => change('active') }
      : { label: texts.complete, run: complete },
    { label: t.do.delete, run: remove },
  ];
  return (
    <>
      <PageHead title={name}>
        {today >= from && today <= to && (
          <span className="muted">
            {texts.dayOf(daysBetween({ from, to: today }) + 1, daysBetween({ from, to }) + 1)}
          </span>
        )}
        <Badge color={status === 'active' ? 'accent' : 'gray'}>{t.status[status]}</Badge>
        <Button component={Link} href="/cycles/next" variant="default">
          {texts.nextCycle}
        </Button>
        {status !== 'completed' && (
          <ItemMenu items={items}>
            <ActionIcon variant="default" size={36} aria-label={texts.moreOf}>
              <IconDots size={16} />
            </ActionIcon>
          </ItemMenu>
        )}
      </PageHead>
      <FormDrawer title={name} opened={isNaming} onClose={() => setNaming(false)}>
        <RecordForm<{ name: string }>
          fields={{ name: { label: t.fields.name, value: name } }}
          send={rename}
          label={t.do.save}
        />
      </FormDrawer>
    </>
  );
}

/** Incomes - expenses = what remains, and what was paid against the plan. */
function CycleFigures({ cycle, expenses, incomes }: ContentProps) {
  const { t, usd, day } = useLocale();
  const texts = t.entries;
  const path = { id: cycle.id };
  const flow = useQuery(queries.query('/cycles/{id}/cash-flow', { params: { path } })).data;
  const { total_incomes, total_expenses, income_count, expense_count } = cycle.summary;
  const paid = expenses.filter(isSettled);
  const received = incomes.filter(isSettled);
  const inHand = usd(addAmounts(cycle.income_amount, totalUsd(received)));
  const plan = planAgainstReality(expenses);
  const lowest = flow && texts.lowest(usd(flow.lowest.balance_usd), day(flow.lowest.date, 'day'));
  return (
    <section className="card group" aria-label={texts.figures}>
      <Figures
        figures={[
          [
            texts.incomes,
            usd(addAmounts(cycle.income_amount, total_incomes)),
            texts.receivedPart(inHand, received.length, income_count),
          ],
          [
            texts.expenses,
            usd(total_expenses),
            texts.paidPart(usd(totalUsd(paid)), paid.length, expense_count),
          ],
          [texts.remainsOn(day(cycle.end_date, 'day')), usd(cycle.remaining_balance), lowest],
          [
            texts.plan,
            usd(plan.difference, 'always'),
            `${texts.planText(usd(plan.planned), usd(plan.actual))} ${texts.unplannedText(usd(plan.unplanned))}`,
          ],
        ]}
      />
    </section>
  );
}
