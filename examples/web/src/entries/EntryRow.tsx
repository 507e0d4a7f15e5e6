import { Checkbox, UnstyledButton } from '@mantine/core';
import { dayOf, daysBetween } from 'expense-service-client';
import { useMe } from '../api';
import { EntryName, useIsNarrow } from '../components/Page';
import { usePanel } from '../components/Panel';
import { Row, SettleButton, SplitButton } from '../components/Row';
import { useLocale } from '../locale';
import { dateOf, isByCard, isExpense, isSettled, stateOf } from './entry';
import type { Entry, Settling } from './entry';
import { focusSettle } from './keys';
import { PayEntry } from './PaymentPanel';

interface EntryRowProps {
  entry: Entry;
  settling: Settling;
  /** Whether the day is named elsewhere, unless it is over. */
  hidesDay?: boolean;
  /** Whether it stands in the statement that it leaves with. */
  isOnCard?: boolean;
  /** Left out: nothing can be changed, as in a completed cycle. */
  onOpen: ((entry: Entry) => void) | undefined;
  isMarked?: boolean | undefined;
  /** Left out: it cannot be marked. */
  onMark?: (() => void) | undefined;
}

/** An entry that is paid or received with one press, and opened with one on its name. */
export function EntryRow({ entry, settling, hidesDay, isOnCard, ...props }: EntryRowProps) {
  const { onOpen, isMarked, onMark } = props;
  const { t, money, day } = useLocale();
  const me = useMe().data;
  const panel = usePanel();
  const isNarrow = useIsNarrow();
  if (!me) return null;
  const { description: name, currency, planned_amount: planned } = entry;
  const state = stateOf(entry);
  const isDone = isSettled(entry) || settling.isDone(entry);
  const time = isExpense(entry) ? entry.paid_at : entry.received_at;
  const days = daysBetween({ from: me.today, to: dateOf(entry) });
  const byCard = isByCard(entry);
  const isLate = days < 0 && !isDone && !byCard && state !== 'cancelled';
  const label = isDone ? t.do.undo : isExpense(entry) ? t.overview.pay : t.overview.receive;
  const details = [
    !hidesDay && !isLate && day(dateOf(entry)),
    !hidesDay && !isExpense(entry) && !isDone && days >= 0 && t.in.days(days),
    byCard && days > 0 && t.cards.planned,
    byCard &&
      !isOnCard &&
      entry.statement &&
      t.cards.onStatement(day(entry.statement.closing_date, 'day')),
    !byCard && time && `${t.status[state]} ${day(dayOf(time, me.time_zone), 'day')}`,
    isExpense(entry) && !isOnCard && entry.payment_method.name,
    entry.budget?.name,
    planned && planned !== entry.amount && t.entries.plannedAs(money(planned, currency)),
  ]
    .filter(Boolean)
    .join(' · ');
  const canSettle = onOpen && !byCard && state !== 'cancelled';
  const canPay = canSettle && !isDone;
  // On a phone a press on the row opens it.
  const opensPanel = canPay && isNarrow;
  const variant = isDone ? 'subtle' : isLate ? 'filled' : 'default';
  const goOn = () => {
    panel.close();
    if (document.activeElement) focusSettle(document.activeElement, 1);
  };
  return (
    <>
      <Row
        {...{ isMarked, money: entry }}
        mark={
          onMark && (
            <Checkbox checked={isMarked} onChange={onMark} aria-label={t.entries.mark(name)} />
          )
        }
        name={
          <UnstyledButton
            {...{ fw: 500, className: 'name', disabled: !onOpen }}
            {...(opensPanel
              ? { onClick: panel.toggle, 'aria-expanded': panel.isOpen }
              : { onClick: () => onOpen?.(entry) })}
          >
            <EntryName {...entry} />
          </UnstyledButton>
        }
        details={
          <>
            {isLate && (
              <span className="danger">{`${day(dateOf(entry))}, ${t.in.late(-days)}`}</span>
            )}
            {isLate && details && ' · '}
            {details}
          </>
        }
      >
        {canSettle && (
          <SplitButton {...{ name, variant, panel: canPay && !isNarrow ? panel : undefined }}>
            <SettleButton
              {...{ label, name, variant }}
              onPress={() => void settling.settle(entry, !isDone)}
            />
          </SplitButton>
        )}
      </Row>
      {canPay && panel.isOpen && (
        <PayEntry entry={entry} onOpen={() => onOpen(entry)} onPaid={goOn} onClose={panel.close} />
      )}
    </>
  );
}
