import { Button, Checkbox, Group, UnstyledButton } from '@mantine/core';
import { dayOf, daysBetween } from 'expense-service-client';
import { useMe } from '../api';
import { Amount } from '../components/Page';
import { useLocale } from '../locale';
import { dateOf, isExpense, isSettled, stateOf, type Entry, type Settling } from './entry';
import { focusSettle } from './keys';

interface EntryRowProps {
  entry: Entry;
  settling: Settling;
  /** Whether the day is named elsewhere, unless it is over. */
  hidesDay?: boolean;
  /** Left out: nothing can be changed, as in a completed cycle. */
  onOpen: ((entry: Entry) => void) | undefined;
  isMarked?: boolean | undefined;
  /** Left out: it cannot be marked. */
  onMark?: (() => void) | undefined;
}

/** An entry that is paid or received with one press, and opened with one on its name. */
export function EntryRow({ entry, settling, hidesDay, onOpen, isMarked, onMark }: EntryRowProps) {
  const { t, usd, money, day } = useLocale();
  const me = useMe().data;
  if (!me) return null;
  const { description: name, currency, planned_amount: planned } = entry;
  const state = stateOf(entry);
  const isDone = isSettled(entry) || settling.isDone(entry);
  const time = isExpense(entry) ? entry.paid_at : entry.received_at;
  const days = daysBetween({ from: me.today, to: dateOf(entry) });
  const isLate = days < 0 && !isDone && state !== 'cancelled';
  const label = isDone ? t.do.undo : isExpense(entry) ? t.overview.pay : t.overview.receive;
  const details = [
    !hidesDay && !isLate && day(dateOf(entry)),
    !hidesDay && !isExpense(entry) && !isDone && days >= 0 && t.in.days(days),
    time && `${t.status[state]} ${day(dayOf(time, me.time_zone), 'day')}`,
    ...(isExpense(entry) ? [entry.payment_method.name, entry.budget?.name] : []),
    planned && planned !== entry.amount && t.entries.plannedAs(money(planned, currency)),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className={`entry ${isMarked ? 'marked' : ''}`} data-row>
      <Group gap="sm" wrap="nowrap">
        {onMark && (
          <Checkbox checked={isMarked} onChange={onMark} aria-label={t.entries.mark(name)} />
        )}
        <div>
          <UnstyledButton fw={500} disabled={!onOpen} onClick={() => onOpen?.(entry)}>
            {name}
          </UnstyledButton>
          <div className="detail muted">
            {isLate && (
              <span className="danger">{`${day(dateOf(entry))}, ${t.in.late(-days)}`}</span>
            )}
            {isLate && details && ' · '}
            {details}
          </div>
        </div>
      </Group>
      <span className="num">{currency === 'MXN' && <Amount {...entry} />}</span>
      <span className={currency === 'MXN' ? 'num muted' : 'num'}>{usd(entry.amount_usd)}</span>
      {onOpen && state !== 'cancelled' ? (
        <Button
          {...{ size: 'xs', variant: isDone ? 'subtle' : isLate ? 'filled' : 'default' }}
          data-settle
          aria-label={`${label} ${name}`}
          onClick={({ currentTarget, detail }) => {
            // The second click of a double click is on the next row, which has moved here.
            if (detail > 1) return;
            focusSettle(currentTarget, 1);
            void settling.settle(entry, !isDone);
          }}
        >
          {label}
        </Button>
      ) : (
        <span />
      )}
    </div>
  );
}
