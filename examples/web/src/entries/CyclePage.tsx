import { useState } from 'react';
import { ActionIcon, Button, Menu, Tabs } from '@mantine/core';
import { IconChevronRight, IconDots } from '@tabler/icons-react';
import { daysBetween } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { queries, tagOf, useMe, useQuery, type Cycle } from '../api';
import { FormDrawer } from '../components/forms';
import { Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { CarryOver } from './CarryOver';
import { StatusBadge, useCycleName } from './cycle';
import { CycleActivity, CycleBudgets } from './CycleTabs';
import { isExpense, type Entry } from './entry';
import { EntryForm } from './EntryForm';
import { EntryTable } from './EntryTable';
import { Figures } from './Figures';
import { usePay } from './pay';
import { SyncDialog } from './SyncDialog';

export function CyclePage({ id }: { id: string }) {
  const cycle = useQuery(queries.query('/cycles/{id}', { params: { path: { id } } }));
  const params = { path: { cycle_id: id } };
  const expenses = useQuery(queries.query('/cycles/{cycle_id}/expenses', { params }));
  const incomes = useQuery(queries.query('/cycles/{cycle_id}/incomes', { params }));
  return (
    <Loaded state={cycle} height={160}>
      {(ofCycle) => (
        <Loaded state={expenses} height={640}>
          {(ofExpenses) => (
            <Loaded state={incomes} height={640}>
              {(ofIncomes) => <Content cycle={ofCycle} {...ofExpenses} {...ofIncomes} />}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

type ContentProps = Parameters<typeof Figures>[0];

function Content({ cycle, expenses, incomes }: ContentProps) {
  const { t } = useLocale();
  const paying = usePay();
  const [opened, setOpened] = useState<Entry>();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const [isSyncing, setSyncing] = useState(false);
  const entries = [...expenses, ...incomes];
  const isOpen = ({ status }: { status: string }) => status === 'pending' || status === 'overdue';
  const open = expenses.filter((each) => isOpen(each) && !paying.isDone(each));
  const marked = open.filter(({ id }) => marks.includes(id));
  const toggle = (id: string) =>
    setMarks(marks.includes(id) ? marks.filter((each) => each !== id) : [...marks, id]);
  const shown = opened && (entries.find(({ id }) => id === opened.id) ?? opened);
  const close = () => setOpened(undefined);
  const isFinal = cycle.status === 'completed';
  const table = { cycleId: cycle.id, paying, onOpen: isFinal ? undefined : setOpened };
  const marking = isFinal ? {} : { marked: marks, onMark: toggle };
  const texts = t.entries;

  return (
    <>
      <Head
        cycle={cycle}
        onSync={() => setSyncing(true)}
        onCarryOver={() => setMarks(open.map(({ id }) => id))}
      />
      <Figures {...{ cycle, expenses, incomes }} />
      <Tabs defaultValue="entries" className="card" keepMounted={false}>
        <Tabs.List px="sm" pt="xs">
          {(['entries', 'budgets', 'activity'] as const).map((tab) => (
            <Tabs.Tab key={tab} value={tab} children={texts.tabs[tab]} />
          ))}
        </Tabs.List>
        <Tabs.Panel value="entries">
          {entries.length === 0 && <Nothing title={texts.emptyTitle} text={texts.emptyText} />}
          <EntryTable kind="expense" {...table} {...marking} entries={expenses} />
          <EntryTable kind="income" {...table} entries={incomes} />
        </Tabs.Panel>
        <Tabs.Panel value="budgets" children={<CycleBudgets cycleId={cycle.id} />} />
        <Tabs.Panel value="activity" children={<CycleActivity {...{ cycle, entries }} />} />
      </Tabs>
      {marked.length > 0 && (
        <CarryOver {...{ cycle, marked }} openCount={open.length} onDone={() => setMarks([])} />
      )}
      {isSyncing && <SyncDialog {...{ cycle, entries }} onClose={() => setSyncing(false)} />}
      <FormDrawer opened={shown !== undefined} onClose={close} title={shown?.description}>
        {shown && (
          <EntryForm
            kind={isExpense(shown) ? 'expense' : 'income'}
            entry={shown}
            cycleId={cycle.id}
            onDone={close}
          />
        )}
      </FormDrawer>
    </>
  );
}

interface HeadProps {
  cycle: Cycle;
  onSync: () => void;
  onCarryOver: () => void;
}

function Head({ cycle, onSync, onCarryOver }: HeadProps) {
  const { t } = useLocale();
  const name = useCycleName()(cycle);
  const today = useMe().data?.today ?? '';
  const { write } = useWrite();
  const [, navigate] = useLocation();
  const { start_date: from, end_date: to, status } = cycle;
  const texts = t.entries;
  const record = { params: { path: { id: cycle.id } }, ifMatch: tagOf(cycle) };
  const change = (next: Cycle['status']) => {
    const send = async () => {
      const { operationId } = await queries.send('PUT', '/cycles/{id}', {
        ...record,
        body: { status: next },
      });
      return { operationId: next === 'completed' ? undefined : operationId };
    };
    return write({ name, done: `${name}: ${t.status[next]}`, send });
  };
  // A completed cycle is final, and nothing takes it back.
  const complete = () => confirm(texts.completeQuestion) && change('completed');
  async function remove() {
    const send = () => queries.send('DELETE', '/cycles/{id}', record);
    if (await write({ name, done: t.done.deleted(name), send })) navigate('/cycles');
  }
  const actions = [
    { label: texts.carryOverAll, run: onCarryOver, of: ['draft', 'active'] },
    { label: texts.activate, run: () => change('active'), of: ['draft'] },
    { label: texts.complete, run: complete, of: ['active'] },
    { label: t.do.delete, run: remove, of: ['draft', 'active'] },
  ];
  return (
    <div className="page-head">
      <Link href="/cycles" className="muted" style={{ flexBasis: '100%' }}>
        {t.nav.cycles}
      </Link>
      <h1>{name}</h1>
      <StatusBadge status={status} />
      {today >= from && today <= to && (
        <span className="muted">
          {texts.dayOf(daysBetween({ from, to: today }) + 1, daysBetween({ from, to }) + 1)}
        </span>
      )}
      <div className="end">
        {status !== 'completed' && (
          <Button variant="default" onClick={onSync}>
            {texts.sync.title}
          </Button>
        )}
        <Button
          component={Link}
          href="/cycles/next"
          variant="default"
          rightSection={<IconChevronRight size={16} />}
        >
          {texts.nextCycle}
        </Button>
        <Menu position="bottom-end" disabled={status === 'completed'}>
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={36}
              disabled={status === 'completed'}
              aria-label={texts.moreOf}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ label, run, of }) => (
              <Menu.Item key={label} hidden={!of.includes(status)} onClick={() => void run()}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  );
}
