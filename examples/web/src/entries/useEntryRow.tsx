/** What a row of an entry shows and does, in a list as in a table. */
import { dayOf, daysBetween } from 'expense-service-client';
import { useMe } from '../api';
import { usePanel } from '../components/Panel';
import { useIsNarrow } from '../components/Page';
import { SettleButton, SplitButton } from '../components/Row';
import { useLocale } from '../locale';
import { dateOf, isByCard, isExpense, isSettled, stateOf } from './entry';
import type { Entry, Settling } from './entry';
import { focusSettle } from './keys';
import { PayEntry } from './PaymentPanel';

export interface EntryRowProps {
  entry: Entry;
  settling: Settling;
  /** Left out: nothing can be changed, as in a completed cycle. */
  onOpen: ((entry: Entry) => void) | undefined;
  isMarked?: boolean | undefined;
  /** Left out: it cannot be marked. */
  onMark?: (() => void) | undefined;
}

export function useEntryRow({ entry, settling, onOpen }: EntryRowProps) {
  const { t } = useLocale();
  const panel = usePanel();
  const isNarrow = useIsNarrow();
  const state = useEntryState(entry, settling.isDone(entry));
  const { description: name } = entry;
  const { isDone, isLate } = state;
  const canSettle = onOpen && !isByCard(entry) && stateOf(entry) !== 'cancelled';
  const canPay = canSettle && !isDone;
  // On a phone a press on the row opens the payment.
  const opensPanel = canPay && isNarrow;
  const label = isDone ? t.do.undo : isExpense(entry) ? t.overview.pay : t.overview.receive;
  const variant = isDone ? 'subtle' : isLate ? 'filled' : 'default';

  function goOn(): void {
    panel.close();
    if (document.activeElement) focusSettle(document.activeElement, 1);
  }
  return {
    ...state,
    /** Of the button with the name. */
    opener: opensPanel
      ? { onClick: panel.toggle, 'aria-expanded': panel.isOpen }
      : { onClick: () => onOpen?.(entry), disabled: !onOpen },
    /** At the end of the row. */
    action: canSettle && (
      <SplitButton name={name} variant={variant} panel={canPay && !isNarrow ? panel : undefined}>
        <SettleButton
          label={label}
          name={name}
          variant={variant}
          onPress={() => void settling.settle(entry, !isDone)}
        />
      </SplitButton>
    ),
    /** Below the row. */
    payment: canPay && panel.isOpen && (
      <PayEntry entry={entry} onOpen={() => onOpen(entry)} onPaid={goOn} onClose={panel.close} />
    ),
  };
}

type StateText = [mark: string, text: string, color: 'danger' | 'accent' | 'muted'];

/** `● Paid 21 Nov`, `■ Statement 12 Dec`, `○ Pending`. */
function useEntryState(entry: Entry, isDoneNow: boolean) {
  const { t, day } = useLocale();
  const { today = dateOf(entry), time_zone: zone = 'UTC' } = useMe().data ?? {};
  /** From today to its day. */
  const days = daysBetween({ from: today, to: dateOf(entry) });
  const isOut = isExpense(entry);
  const state = stateOf(entry);
  const isDone = isSettled(entry) || isDoneNow;
  const isLate = days < 0 && !isDone && !isByCard(entry) && state !== 'cancelled';

  function textOf(): StateText {
    if (state === 'cancelled') return ['', t.status.cancelled, 'muted'];
    if (isByCard(entry) && entry.statement) {
      const closing = day(entry.statement.closing_date, 'day');
      return days > 0
        ? ['○', t.cards.planned, 'muted']
        : ['■', t.cards.onStatement(closing), 'muted'];
    }
    if (isDone) {
      const time = isOut ? entry.paid_at : entry.received_at;
      const settled = isOut ? t.status.paid : t.status.received;
      return ['●', `${settled} ${day(time ? dayOf(time, zone) : today, 'day')}`, 'accent'];
    }
    if (isLate) return ['●', isOut ? t.status.overdue : t.entries.late, 'danger'];
    return ['○', t.status[state], 'muted'];
  }
  const [mark, text, color] = textOf();
  return { mark, text, color, isDone, isLate, days };
}
