/** The state of a statement, and its payment with another amount or on another day. */
import { compareAmounts, dayOf, daysBetween, isNegative } from 'expense-service-client';
import { subtractAmounts, type Schemas } from 'expense-service-client';
import { isAmount } from '../components/inputs';
import { PaymentPanel, type Payment } from '../entries/PaymentPanel';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { isNothing, putStatement, type Statement } from './statement';

type User = Pick<Schemas['UserResponse'], 'today' | 'time_zone'>;

interface StateText {
  text: string;
  color?: 'accent' | 'danger';
}

/** `◐ Paid in part, 5,000.00 MXN`, or `Closed, due in 7 days`. */
export function useStateText(): (statement: Statement, user: User) => StateText {
  const { t, day, money } = useLocale();
  const texts = t.cards.state;
  return (statement, { today, time_zone: zone }) => {
    const { status, from, due_date: due, paid_at, paid_amount: paid, amount } = statement;
    const until = (to: string) => t.in.days(daysBetween({ from: today, to }));
    if (isNothing(statement)) return { text: texts.nothing };
    if (status === 'paid') {
      const isPart = paid !== null && paid_at !== null && compareAmounts(paid, amount) < 0;
      const part = () => `◐ ${texts.part(money(paid ?? '0.00', statement.currency))}`;
      const isByHand = paid_at !== null && statement.id !== null;
      const whole = isByHand ? texts.paid(day(dayOf(paid_at, zone), 'day')) : texts.byItself;
      return { text: isPart ? part() : whole, color: 'accent' };
    }
    if (status === 'overdue')
      return {
        text: texts.overdue(t.in.late(-daysBetween({ from: today, to: due }))),
        color: 'danger',
      };
    if (status === 'closed')
      return { text: due === today ? texts.today : texts.closed(until(due)) };
    return { text: from > today ? texts.later : texts.open(until(statement.closing_date)) };
  };
}

interface PayOtherwiseProps {
  statement: Statement;
  onClose: () => void;
}

export function PayOtherwise({ statement, onClose }: PayOtherwiseProps) {
  const { t, money } = useLocale();
  const texts = t.cards;
  const showDone = useDone();
  const { amount, currency, payment_method: method } = statement;
  const inCurrency = (value: string) => money(value, currency);
  /** What is not paid; undefined: nothing, or what is typed is no amount. */
  function restOf({ amount: paid }: Payment): string | undefined {
    if (!isAmount(paid)) return undefined;
    const rest = subtractAmounts(amount, paid);
    return isNegative(rest) || rest === '0.00' ? undefined : rest;
  }

  async function send(payment: Payment, paid_at: string | undefined): Promise<void> {
    const paid_amount = payment.amount;
    const { operationId } = await putStatement(statement, { paid: true, paid_amount, paid_at });
    const rest = restOf(payment);
    const done = rest
      ? texts.donePart(method.name, inCurrency(rest))
      : `${t.done.paid(method.name)}, ${inCurrency(paid_amount)}`;
    showDone(done, operationId);
    onClose();
  }

  return (
    <PaymentPanel
      amount={amount}
      currency={currency}
      labels={[texts.paidAmount, texts.paidOn]}
      send={send}
      onClose={onClose}
      label={(payment) => (restOf(payment) ? texts.savePart : texts.savePaid)}
    >
      {(payment) => {
        const rest = restOf(payment);
        return (
          rest && <p className="detail">{texts.goesOn(inCurrency(rest), inCurrency(amount))}</p>
        );
      }}
    </PaymentPanel>
  );
}
