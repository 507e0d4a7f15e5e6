/** What is due, overdue first, then by day with the pay days between, or by cycle. */
import { useState, type ReactNode } from 'react';
import { Anchor, Button, Group } from '@mantine/core';
import { addDays } from 'expense-service-client';
import { Link } from 'wouter';
import { StatementRow } from '../cards/StatementRow';
import { Card, Choice, Nothing } from '../components/Page';
import { isOpen, totalUsd, useSettling, type Entry, type ExpenseEntry } from '../entries/entry';
import { EntryRow } from '../entries/EntryRow';
import { moveByKey } from '../entries/keys';
import { useLocale } from '../locale';
import { balanceOn, payDaysOf, type PayDay, type Plan } from './plan';
import { PlannedRow, plannedIn, type PlannedEntry } from './PlannedRow';

const ROWS_AT_FIRST = 14;

/** At the start of a heading: `Viernes 27 nov`. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface DueCardProps {
  plan: Plan;
  onEdit: (entry: Entry) => void;
  onAdd: () => void;
}

interface Part {
  title: string;
  detail: string | number;
  amount: ReactNode;
  payDay?: PayDay | undefined;
  list: Due[];
  isOverdue?: boolean;
  /** Between the days of two cycles. */
  isBand?: boolean;
}

/** Of a cycle that is stored, or of the next one, which may not be; or a statement. */
type Due = ExpenseEntry | PlannedEntry;

const dateOf = (due: Due): string => ('due_date' in due ? due.due_date : due.entry_date);

const isStatement = (due: Due): due is PlannedEntry =>
  'entity_type' in due && due.entity_type === 'card_statement';

export function DueCard({ plan, onEdit, onAdd }: DueCardProps) {
  const { t, day, days, usd, nameOf } = useLocale();
  const settling = useSettling();
  const [view, setView] = useState<'day' | 'cycle'>('day');
  const [isComplete, setComplete] = useState(false);
  const { forecast, cycles, statements, current, next, isEnding } = plan;
  const { today } = forecast;
  const texts = t.overview;
  const end = (isEnding ? next : current?.cycle)?.end_date ?? forecast.to;
  const stored = cycles
    .flatMap(({ expenses }) => expenses)
    .filter((each) => isOpen(each) && !settling.isDone(each));
  const ofCards = (forecast.entries ?? []).filter(isStatement);
  const planned = isEnding ? plannedIn(plan, 'cycle_expense') : [];
  const all = [...stored, ...ofCards, ...planned]
    .filter((each) => dateOf(each) <= end)
    .sort((a, b) => dateOf(a).localeCompare(dateOf(b)));
  const shown = isComplete ? all : all.slice(0, ROWS_AT_FIRST);
  const last = shown.at(-1);
  const lastDay = last ? dateOf(last) : today;
  const payDays = payDaysOf(plan).filter(({ date }) => date > today && date <= lastDay);
  const dates = new Set([...shown.map(dateOf), ...payDays.map(({ date }) => date)]);

  function dayPart(date: string): Part {
    const relative = date === today ? t.today : date === addDays(today, 1) && t.tomorrow;
    return {
      title: relative || capitalized(day(date, 'long')),
      detail: relative ? day(date) : '',
      amount: texts.leaves(usd(balanceOn(forecast, date) ?? '0.00')),
      payDay: payDays.find((each) => each.date === date),
      list: shown.filter((each) => dateOf(each) === date),
    };
  }
  /** Its amount is also that of rows that are not shown yet. */
  const part = (title: string, detail: string | number, isOf: (due: Due) => boolean): Part => ({
    title,
    detail,
    list: shown.filter(isOf),
    amount: usd(totalUsd(all.filter(isOf))),
  });
  const isOverdue = (due: Due): boolean => dateOf(due) < today;
  const overdueCount = all.filter(isOverdue).length;
  const ofNext = next && {
    title: texts.nextCycle,
    list: [],
    isBand: true,
    detail: `${days(next)}${next.id ? '' : `, ${texts.proposed}`}`,
    amount: (
      <Anchor component={Link} href={next.id ? `/cycles/${next.id}` : '/cycles/next'}>
        {next.id ? texts.openCycle : t.do.create}
      </Anchor>
    ),
  };
  const coming = [...dates].filter((date) => date >= today).sort();
  const isBefore = (date: string) => !next || date < next.start_date;
  const parts: Part[] =
    view === 'cycle'
      ? [
          ...[...cycles.map(({ cycle }) => cycle), ...(next && !next.id ? [next] : [])].map(
            (cycle) =>
              part(nameOf(cycle), days(cycle), (each) =>
                'cycleId' in each
                  ? each.cycleId === cycle.id
                  : cycle.id === null && !isStatement(each),
              ),
          ),
          part(t.cards.title, '', isStatement),
        ]
      : [
          { ...part(texts.overdue, overdueCount, isOverdue), isOverdue: true },
          ...coming.filter(isBefore).map(dayPart),
          ...(ofNext && coming.some((date) => !isBefore(date)) ? [ofNext] : []),
          ...coming.filter((date) => !isBefore(date)).map(dayPart),
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
          action={
            <Button variant="default" onClick={onAdd}>
              {texts.addExpense}
            </Button>
          }
        />
      )}
      <div role="group" aria-label={texts.due} onKeyDown={moveByKey}>
        {parts
          .filter(({ list, payDay, isBand }) => list.length > 0 || payDay || isBand)
          .map(({ list, ...head }) => (
            <div key={head.title}>
              <PartHead {...head} />
              <div className="group">
                {list.map((entry, i) =>
                  'due_date' in entry ? (
                    <EntryRow
                      key={entry.id}
                      entry={entry}
                      settling={settling}
                      hidesDay
                      onOpen={onEdit}
                    />
                  ) : isStatement(entry) ? (
                    <StatementRow
                      key={i}
                      entry={entry}
                      statement={statements.find(
                        ({ payment_method: { id }, due_date: due, paid }) =>
                          id === entry.payment_method?.id && due === entry.entry_date && !paid,
                      )}
                    />
                  ) : (
                    <PlannedRow key={i} entry={entry} hidesDay={view === 'day'} />
                  ),
                )}
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

function PartHead({ title, detail, amount, payDay, isOverdue, isBand }: Omit<Part, 'list'>) {
  const { usd } = useLocale();
  const className = ['group head', payDay && 'pay-day', isBand && 'band'].filter(Boolean).join(' ');
  return (
    <Group gap={8} fz={13} className={className}>
      {payDay && <span className="accent">▲</span>}
      <h3 className={isOverdue ? 'danger' : undefined}>
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
