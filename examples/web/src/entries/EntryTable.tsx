import { useId, type KeyboardEvent } from 'react';
import { Button, Checkbox, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { dayOf, formatNumber, isNegative, subtractAmounts } from 'expense-service-client';
import { useMe } from '../api';
import { Amount } from '../components/Page';
import { useLocale } from '../locale';
import classes from './entries.module.css';
import { dateOf, isExpense, stateOf, type Entry, type Kind } from './entry';
import type { usePay } from './pay';
import { totalUsd } from './totals';

interface TableProps {
  kind: Kind;
  cycleId: string;
  paying: ReturnType<typeof usePay>;
  /** Left out: nothing can be changed, as in a completed cycle. */
  onOpen?: (entry: Entry) => void;
  /** The ids of the marked entries. Left out: none can be marked. */
  marked?: readonly string[];
  onMark?: (id: string) => void;
}

/** What is open comes first, by day; then what is paid or received, the latest first. */
export function EntryTable({ entries, ...props }: TableProps & { entries: readonly Entry[] }) {
  const { t, usd } = useLocale();
  const keys = useId();
  const texts = t.entries;
  const settledState = props.kind === 'expense' ? 'paid' : 'received';
  const stateNow = (entry: Entry) => (props.paying.isDone(entry) ? settledState : stateOf(entry));
  const groupOf = (...states: string[]) =>
    entries.filter((each) => states.includes(stateNow(each)));
  const groups = {
    open: groupOf('overdue', 'pending', 'expected'),
    settled: groupOf(settledState).reverse(),
    cancelled: groupOf('cancelled'),
  };
  return (
    <Table className={classes.table} aria-describedby={keys} onKeyDown={moveByKey}>
      <Table.Thead>
        <Table.Tr>
          {props.onMark && <Table.Td />}
          <Table.Th visibleFrom="sm">{texts[props.kind].day}</Table.Th>
          <Table.Th>{t.add[props.kind]}</Table.Th>
          <Table.Th visibleFrom="md" className="num" children={texts.planned} />
          <Table.Th className="num">{t.fields.amount}</Table.Th>
          <Table.Th visibleFrom="sm" className="num" children={texts.inDollars} />
          <Table.Th visibleFrom="sm">{texts.state}</Table.Th>
          <Table.Td children={<VisuallyHidden id={keys}>{texts.keys}</VisuallyHidden>} />
        </Table.Tr>
      </Table.Thead>
      {(['open', 'settled', 'cancelled'] as const).map((group) => (
        <Table.Tbody key={group} hidden={groups[group].length === 0}>
          <Table.Tr className={classes.group}>
            <Table.Th colSpan={8} scope="rowgroup">
              {texts[props.kind][group]}{' '}
              <span className="muted">
                {groups[group].length} · {usd(totalUsd(groups[group]))}
              </span>
            </Table.Th>
          </Table.Tr>
          {groups[group].map((entry) => (
            <EntryRow key={entry.id} {...props} entry={entry} state={stateNow(entry)} />
          ))}
        </Table.Tbody>
      ))}
    </Table>
  );
}

type RowProps = TableProps & { entry: Entry; state: ReturnType<typeof stateOf> };

function EntryRow({ entry, state, kind, cycleId, paying, marked, onMark, onOpen }: RowProps) {
  const { t, day, usd } = useLocale();
  const { id, description, currency, planned_amount: planned } = entry;
  const isMarked = marked?.includes(id);
  const date = day(dateOf(entry));
  const isSettled = state === 'paid' || state === 'received';
  const label = isSettled ? t.do.undo : t.entries[kind].settle;
  const details = [entry.payment_method?.name, isExpense(entry) && entry.budget?.name];
  const amount = <Amount amount={entry.amount} currency={currency} />;
  const settle = () =>
    (kind === 'expense' ? paying.pay : paying.receive)(entry, cycleId, !isSettled);
  return (
    <Table.Tr data-entry className={isMarked ? classes.marked : undefined}>
      {onMark && (
        <Table.Td>
          {!isSettled && state !== 'cancelled' && (
            <Checkbox
              checked={isMarked}
              onChange={() => onMark(id)}
              aria-label={t.entries.mark(description)}
            />
          )}
        </Table.Td>
      )}
      <Table.Td visibleFrom="sm" className={`${classes.day} ${state === 'overdue' && 'danger'}`}>
        {date}
      </Table.Td>
      <Table.Td>
        <UnstyledButton fw={500} disabled={!onOpen} onClick={() => onOpen?.(entry)}>
          {description}
        </UnstyledButton>
        <span className={`${classes.wide} muted`}>{details.filter(Boolean).join(' · ')}</span>
        <span className={`${classes.narrow} state ${state}`}>
          {date} {state === 'overdue' && `· ${t.status.overdue}`}
        </span>
      </Table.Td>
      <Table.Td visibleFrom="md" className="num muted">
        {planned ? <Amount amount={planned} currency={currency} /> : t.entries.unplanned}
      </Table.Td>
      <Table.Td className="num">
        {planned && <FromPlan difference={subtractAmounts(entry.amount, planned)} />} {amount}
        <span className={`${classes.narrow} muted`}>{usd(entry.amount_usd)}</span>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="num" children={usd(entry.amount_usd)} />
      <Table.Td visibleFrom="sm" className={classes.state}>
        <span className={`state ${state}`}>{t.status[state]}</span> <SettledDay entry={entry} />
      </Table.Td>
      <Table.Td className="num">
        {onOpen && state !== 'cancelled' && (
          <Button
            variant={isSettled ? 'subtle' : 'default'}
            className={classes.action}
            data-action
            aria-label={`${label} ${description}`}
            aria-busy={paying.isSaving(entry)}
            onClick={({ currentTarget }) => {
              actionOf(currentTarget, 1)?.focus();
              void settle();
            }}
          >
            {label}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** What the amount is more or less than planned. */
function FromPlan({ difference }: { difference: string }) {
  const { locale } = useLocale();
  if (difference === '0.00') return null;
  const sign = isNegative(difference) ? '' : '+';
  return (
    <span className={`${classes.wide} detail ${sign ? 'danger' : 'accent'}`}>
      {sign + formatNumber(difference, locale)}
    </span>
  );
}

/** The day on which it was paid or received. */
function SettledDay({ entry }: { entry: Entry }) {
  const { day } = useLocale();
  const me = useMe().data;
  const time = isExpense(entry) ? entry.paid_at : entry.received_at;
  return time && me ? (
    <span className="accent">{day(dayOf(time, me.time_zone), 'day')}</span>
  ) : null;
}

/** The Pay button of the row that is so many rows below. */
function actionOf(element: Element, rowsBelow: number): HTMLElement | undefined {
  const rows = [...(element.closest('table')?.querySelectorAll('[data-entry]') ?? [])];
  const row = rows[rows.findIndex((each) => each.contains(element)) + rowsBelow];
  return row?.querySelector<HTMLElement>('[data-action]') ?? undefined;
}

/** Arrows go from row to row, P pays, X marks. */
function moveByKey(event: KeyboardEvent): void {
  const from = event.target as HTMLElement;
  const run = {
    ArrowDown: () => actionOf(from, 1)?.focus(),
    ArrowUp: () => actionOf(from, -1)?.focus(),
    p: () => actionOf(from, 0)?.click(),
    x: () => from.closest('tr')?.querySelector<HTMLElement>('[type=checkbox]')?.click(),
  }[event.key];
  if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  run();
}
