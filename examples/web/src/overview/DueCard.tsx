/** What is due, overdue first, then by day with the pay days between, or by cycle. */
import { useState, type KeyboardEvent } from 'react';
import { Button, SegmentedControl, UnstyledButton } from '@mantine/core';
import { addAmounts, addDays, daysBetween } from 'expense-service-client';
import { Amount, Card, Nothing } from '../components/Page';
import { usePay } from '../entries/pay';
import { useLocale } from '../locale';
import { dueExpenses, payDaysOf, type DueExpense, type PayDay } from './plan';
import type { Plan } from './usePlan';
import css from './overview.module.css';

const ROWS_AT_FIRST = 14;

interface DueCardProps {
  plan: Plan;
  onEdit: (due: DueExpense) => void;
  onAdd: () => void;
}

export function DueCard({ plan: { forecast, cycles, current }, onEdit, onAdd }: DueCardProps) {
  const { t, day, days } = useLocale();
  const [view, setView] = useState('day');
  const [isComplete, setComplete] = useState(false);
  const { today } = forecast;
  const end = current?.cycle.end_date ?? forecast.to;
  const all = dueExpenses(cycles).filter(({ expense }) => expense.due_date <= end || isComplete);
  const shown = isComplete ? all : all.slice(0, ROWS_AT_FIRST);
  const overdue = shown.filter(({ expense }) => expense.due_date < today);
  const later = shown.filter(({ expense }) => expense.due_date >= today);
  const lastDay = later.at(-1)?.expense.due_date ?? today;
  const payDays = payDaysOf(forecast).filter(({ date }) => date <= lastDay);
  const dates = [
    ...new Set([
      ...later.map(({ expense }) => expense.due_date),
      ...payDays.map(({ date }) => date),
    ]),
  ];

  return (
    <Card
      flush
      title={t.overview.due}
      end={
        <SegmentedControl
          size="xs"
          aria-label={t.overview.viewLabel}
          value={view}
          onChange={setView}
          data={[
            { value: 'day', label: t.overview.byDay },
            { value: 'cycle', label: t.overview.byCycle },
          ]}
        />
      }
    >
      {shown.length === 0 && (
        <Nothing
          title={t.overview.nothingDue(day(end, 'day'))}
          action={
            <Button variant="default" onClick={onAdd}>
              {t.overview.addExpense}
            </Button>
          }
        />
      )}
      <div role="group" aria-label={t.overview.due} onKeyDown={moveBetweenRows}>
        {view === 'cycle' ? (
          cycles.map(({ cycle }) => (
            <Group
              key={cycle.id}
              title={cycle.name}
              detail={days(cycle)}
              list={shown.filter((due) => due.cycle.id === cycle.id)}
              {...{ today, onEdit }}
            />
          ))
        ) : (
          <>
            <Group title={t.overview.overdue} isOverdue list={overdue} {...{ today, onEdit }} />
            {dates.sort().map((date) => (
              <Group
                key={date}
                {...dayTitle(date)}
                payDay={payDays.find((each) => each.date === date)}
                balance={forecast.days?.find((each) => each.date === date)?.balance}
                list={later.filter(({ expense }) => expense.due_date === date)}
                {...{ today, onEdit }}
              />
            ))}
          </>
        )}
      </div>
      {all.length > shown.length && (
        <UnstyledButton className={`${css.more} accent`} onClick={() => setComplete(true)}>
          {t.overview.showMore(all.length - shown.length, day(end, 'day'))}
        </UnstyledButton>
      )}
    </Card>
  );

  function dayTitle(date: string): { title: string; detail?: string } {
    if (date === today) return { title: t.today, detail: day(date) };
    if (date === addDays(today, 1)) return { title: t.tomorrow, detail: day(date) };
    return { title: day(date, 'long') };
  }
}

interface GroupProps {
  title: string;
  detail?: string;
  isOverdue?: boolean;
  payDay?: PayDay;
  /** At the end of the day. */
  balance?: string;
  list: DueExpense[];
  today: string;
  onEdit: (due: DueExpense) => void;
}

function Group({ title, detail, isOverdue, payDay, balance, list, today, onEdit }: GroupProps) {
  const { t, usd } = useLocale();
  if (list.length === 0 && !payDay) return null;
  const total = addAmounts(...list.map(({ expense }) => expense.amount_usd));
  const head = (
    <>
      <h3 className={isOverdue ? 'danger' : undefined}>
        {title}
        {payDay && ` · ${payDay.names.join(', ')}`}
      </h3>
      <span className="muted">{isOverdue ? list.length : detail}</span>
      <span className={`muted ${css.leaves}`}>
        {balance ? t.overview.leaves(usd(balance)) : usd(total)}
      </span>
      {payDay && <b className="accent">{usd(payDay.amount, 'always')}</b>}
    </>
  );
  return (
    <>
      {payDay && <div className={`${css.groupHead} ${css.payDay}`}>{head}</div>}
      <div className={css.group} hidden={list.length === 0}>
        {!payDay && <div className={css.groupHead}>{head}</div>}
        {list.map((due) => (
          <Row key={due.expense.id} due={due} today={today} onEdit={() => onEdit(due)} />
        ))}
      </div>
    </>
  );
}

interface RowProps {
  due: DueExpense;
  today: string;
  onEdit: () => void;
}

function Row({ due: { expense, cycle }, today, onEdit }: RowProps) {
  const { t, usd, day } = useLocale();
  const { pay, isSaving } = usePay();
  const isLate = expense.status === 'overdue';
  const details = [expense.payment_method.name, expense.budget?.name].filter(Boolean).join(' · ');
  return (
    <div className={css.row} data-row aria-busy={isSaving(expense)}>
      <div>
        <UnstyledButton
          className={css.name}
          aria-label={t.overview.editName(expense.description)}
          onClick={onEdit}
        >
          {expense.description}
        </UnstyledButton>
        <span className="detail muted">
          {isLate && (
            <span className="danger">
              {day(expense.due_date)},{' '}
              {t.in.late(daysBetween({ from: expense.due_date, to: today }))}
            </span>
          )}
          {isLate && ' · '}
          {details}
        </span>
      </div>
      <span className="num">{expense.currency === 'MXN' && <Amount {...expense} />}</span>
      <span className={`num ${css.usd}`}>{usd(expense.amount_usd)}</span>
      <Button
        size="xs"
        variant={isLate ? 'filled' : 'default'}
        data-pay
        aria-label={t.overview.payName(expense.description)}
        disabled={isSaving(expense)}
        onClick={() => void pay(expense, cycle.id)}
      >
        {t.overview.pay}
      </Button>
    </div>
  );
}

/** The arrow keys go from payment to payment, and P pays, within the list only. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const row = (event.target as HTMLElement).closest('[data-row]');
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-pay]')];
  const button = row.querySelector<HTMLElement>('[data-pay]');
  const index = button ? buttons.indexOf(button) : -1;
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step !== undefined) buttons[index + step]?.focus();
  else if (event.key === 'p') button?.click();
  else return;
  event.preventDefault();
}
