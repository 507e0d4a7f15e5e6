/** What is due, overdue first, then by day with the pay days between, or by cycle. */
import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { addDays } from 'expense-service-client';
import { Card, Choice, Nothing } from '../components/Page';
import {
  dateOf,
  isOpen,
  totalUsd,
  useSettling,
  type Entry,
  type ExpenseEntry,
} from '../entries/entry';
import { EntryRow } from '../entries/EntryRow';
import { moveByKey } from '../entries/keys';
import { useLocale } from '../locale';
import { payDaysOf, type PayDay, type Plan } from './plan';

const ROWS_AT_FIRST = 14;

interface DueCardProps {
  plan: Plan;
  onEdit: (entry: Entry) => void;
  onAdd: () => void;
}

interface Part {
  title: string;
  detail?: string | number;
  amount: string;
  payDay?: PayDay | undefined;
  list: ExpenseEntry[];
}

export function DueCard({ plan, onEdit, onAdd }: DueCardProps) {
  const { t, day, days, usd, nameOf } = useLocale();
  const settling = useSettling();
  const [view, setView] = useState<'day' | 'cycle'>('day');
  const [isComplete, setComplete] = useState(false);
  const { forecast, cycles, current } = plan;
  const { today } = forecast;
  const texts = t.overview;
  const end = current?.cycle.end_date ?? forecast.to;
  const all = cycles
    .flatMap(({ expenses }) => expenses)
    .filter((each) => isOpen(each) && !settling.isDone(each))
    .filter(({ due_date }) => due_date <= end)
    .sort((a, b) => a.due_date.localeCompare(b.due_date));
  const shown = isComplete ? all : all.slice(0, ROWS_AT_FIRST);
  const lastDay = shown.at(-1)?.due_date ?? today;
  const payDays = payDaysOf(plan).filter(({ date }) => date > today && date <= lastDay);
  const dates = new Set(
    [...shown, ...payDays].map((each) => ('date' in each ? each.date : dateOf(each))),
  );

  function dayPart(date: string): Part {
    const balance = forecast.days?.find((each) => each.date === date)?.balance ?? '0.00';
    const relative = date === today ? t.today : date === addDays(today, 1) && t.tomorrow;
    return {
      ...(relative ? { title: relative, detail: day(date) } : { title: day(date, 'long') }),
      amount: texts.leaves(usd(balance)),
      payDay: payDays.find((each) => each.date === date),
      list: shown.filter(({ due_date }) => due_date === date),
    };
  }
  const part = (title: string, detail: string | number, list: ExpenseEntry[]): Part => ({
    ...{ title, detail, list, amount: usd(totalUsd(list)) },
  });
  const overdue = shown.filter(({ due_date }) => due_date < today);
  const parts =
    view === 'cycle'
      ? cycles.map(({ cycle }) => {
          const list = shown.filter(({ cycleId }) => cycleId === cycle.id);
          return part(nameOf(cycle), days(cycle), list);
        })
      : [
          part(texts.overdue, overdue.length, overdue),
          ...[...dates]
            .filter((date) => date >= today)
            .sort()
            .map(dayPart),
        ];
  const views = { day: texts.byDay, cycle: texts.byCycle };

  return (
    <Card
      flush
      title={texts.due}
      end={<Choice label={texts.viewLabel} options={views} value={view} onChange={setView} />}
    >
      {shown.length === 0 && (
        <Nothing
          title={texts.nothingDue(day(end, 'day'))}
          action={<Button variant="default" onClick={onAdd} children={texts.addExpense} />}
        />
      )}
      <div role="group" aria-label={texts.due} onKeyDown={moveByKey}>
        {parts
          .filter(({ list, payDay }) => list.length > 0 || payDay)
          .map(({ list, ...head }) => (
            <div key={head.title}>
              <PartHead {...head} />
              <div className="group">
                {list.map((entry) => (
                  <EntryRow key={entry.id} {...{ entry, settling }} hidesDay onOpen={onEdit} />
                ))}
              </div>
            </div>
          ))}
      </div>
      {all.length > shown.length && (
        <Button variant="subtle" m="sm" onClick={() => setComplete(true)}>
          {texts.showMore(all.length - shown.length, day(end, 'day'))}
        </Button>
      )}
    </Card>
  );
}

function PartHead({ title, detail, amount, payDay }: Omit<Part, 'list'>) {
  const { t, usd } = useLocale();
  return (
    <Group gap={8} fz={13} className={payDay ? 'group head pay-day' : 'group head'}>
      {payDay && <span className="accent">▲</span>}
      <h3 className={title === t.overview.overdue ? 'danger' : undefined}>
        {[title, ...(payDay?.names ?? [])].join(' · ')}
      </h3>
      <span className="muted">{detail}</span>
      <span className="muted" style={{ marginLeft: 'auto' }}>
        {amount}
      </span>
      {payDay && <b className="accent">{usd(payDay.amount, 'always')}</b>}
    </Group>
  );
}
