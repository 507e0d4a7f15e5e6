/** A cycle: its figures, its entries, and what can be done with all of it. */
import { useState } from 'react';
import { Button, Stack, Tabs } from '@mantine/core';
import { ActivityList } from '../activity/ActivityList';
import { Loaded, Nothing, useIsNarrow } from '../components/Page';
import { useLocale } from '../locale';
import { CycleBudgets } from './CycleBudgets';
import { CycleFigures } from './CycleFigures';
import { CycleHead } from './CycleHead';
import { isByCard, isOpen, isSettled, stateOf, useSettling, type Entry, type Kind } from './entry';
import { EntryDrawer } from './EntryForm';
import { EntryLists, EntryTables, type EntryGroup } from './EntryGroups';
import { MarkedBar } from './MarkedBar';
import { useCycle, type CycleContent } from './useCycle';

export function CyclePage({ id }: { id: string }) {
  return (
    <Loaded state={useCycle(id)} height={800}>
      {(content) => <Content {...content} />}
    </Loaded>
  );
}

function Content({ cycle, forecast, expenses, incomes }: CycleContent) {
  const { t } = useLocale();
  const settling = useSettling();
  const isNarrow = useIsNarrow();
  const [opened, setOpened] = useState<Entry | Kind>();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const texts = t.entries;
  const entries = [...expenses, ...incomes];
  const isToDo = (each: Entry) => isOpen(each) && !settling.isDone(each);
  const isDone = (each: Entry) => isSettled(each) || settling.isDone(each);
  const isCancelled = (each: Entry) => stateOf(each) === 'cancelled';
  const open = expenses.filter(isToDo);
  const marked = open.filter(({ id }) => marks.includes(id));
  const onOpen = cycle.status === 'completed' ? undefined : setOpened;
  const groups: EntryGroup[] = [
    { kind: 'expense', title: texts.expense.open, list: open, canMark: true },
    {
      kind: 'expense',
      title: t.cards.byCard,
      detail: t.cards.leaves,
      list: expenses.filter((each) => isByCard(each) && !isCancelled(each)),
      folds: true,
    },
    {
      kind: 'expense',
      title: texts.expense.settled,
      list: expenses.filter((each) => isDone(each) && !isByCard(each)).reverse(),
      folds: true,
    },
    { kind: 'expense', title: texts.expense.cancelled, list: expenses.filter(isCancelled) },
    { kind: 'income', title: texts.income.open, list: incomes.filter(isToDo) },
    { kind: 'income', title: texts.income.settled, list: incomes.filter(isDone).reverse() },
  ];
  const Groups = isNarrow ? EntryLists : EntryTables;

  return (
    <>
      <CycleHead cycle={cycle} onCarryOver={() => setMarks(open.map(({ id }) => id))}>
        {cycle.side && onOpen && (
          <Button variant="default" onClick={() => setOpened('expense')}>
            {t.overview.addExpense}
          </Button>
        )}
      </CycleHead>
      <CycleFigures cycle={cycle} forecast={forecast} expenses={expenses} incomes={incomes} />
      <Tabs defaultValue="entries" className="page">
        <Tabs.List>
          <Tabs.Tab value="entries">{texts.tabs.entries(entries.length)}</Tabs.Tab>
          <Tabs.Tab value="budgets">{t.nav.budgets}</Tabs.Tab>
          <Tabs.Tab value="activity">{t.activity.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entries" className="page">
          <Stack gap="md" className="page">
            {entries.length === 0 && <Nothing title={texts.emptyTitle} text={texts.emptyText} />}
            <Groups
              groups={groups.filter(({ list }) => list.length > 0)}
              settling={settling}
              onOpen={onOpen}
              marks={marks}
              onMarks={onOpen && setMarks}
            />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="budgets" className="page">
          <CycleBudgets cycleId={cycle.id} />
        </Tabs.Panel>
        <Tabs.Panel value="activity" className="page">
          <section className="card" aria-label={t.activity.title}>
            <ActivityList cycleId={cycle.id} />
          </section>
        </Tabs.Panel>
      </Tabs>
      {marked.length > 0 && (
        <MarkedBar
          cycle={cycle}
          marked={marked}
          openCount={open.length}
          onDone={() => setMarks([])}
        />
      )}
      <EntryDrawer
        opened={opened}
        entries={entries}
        cycle={cycle}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
