/** A payment with another amount or on another day, or money that came back, below what it is of. */
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { compareAmounts, reasonMessage, subtractAmounts } from 'expense-service-client';
import { noonOf } from '../accounts/account';
import { queries, useMe, useQuery, type Currency } from '../api';
import { Panel } from '../components/Panel';
import { FieldError, RecordForm, type Field } from '../components/RecordForm';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { addEntry, isExpense, putEntry } from './entry';
import type { Entry, ExpenseEntry } from './entry';
import { Effect } from './Effect';

/** As the service takes it. */
const MAX_DESCRIPTION = 255;

export interface Payment {
  amount: string;
  day: string;
  /** Of what is no statement. */
  payment_method_id?: string | null;
}

interface PaymentPanelProps {
  amount: string;
  currency: Currency;
  /** The labels of the amount and the day. */
  labels: [string, string];
  hint?: string;
  method?: Field<Payment>;
  label: string | ((payment: Payment) => string);
  /** `at` is noon of a day before today; undefined: now. */
  send: (payment: Payment, at: string | undefined) => Promise<unknown>;
  onClose: () => void;
  children: (payment: Payment, at: string | undefined) => ReactNode;
}

export function PaymentPanel({ amount, currency, labels, hint, ...props }: PaymentPanelProps) {
  const { language } = useLocale();
  const user = useMe().data;
  const { method, label, send, onClose, children } = props;
  if (!user) return null;

  const save = async (payment: Payment): Promise<void> => {
    if (payment.day > user.today)
      throw new FieldError('day', reasonMessage('out_of_order', language));
    await send(payment, noonOf(payment.day, user));
  };
  return (
    <Panel onClose={onClose}>
      <RecordForm<Payment>
        fields={{
          amount: {
            ...{ label: labels[0], kind: 'money', value: amount, look: 'third' },
            ...{ description: hint, unit: () => currency },
          },
          day: { label: labels[1], kind: 'day', value: user.today, look: 'third' },
          ...(method && {
            payment_method_id: { ...method, of: '/payment-methods', look: 'third' },
          }),
        }}
        send={save}
        label={label}
        onCancel={onClose}
      >
        {(payment) => children(payment, noonOf(payment.day, user))}
      </RecordForm>
    </Panel>
  );
}

interface PayEntryProps {
  entry: Entry;
  /** On a phone, where a press on the row has opened this. */
  onOpen: () => void;
  onPaid: () => void;
  onClose: () => void;
}

/** Marks an entry as paid or received with another amount or on another day. */
export function PayEntry({ entry, onOpen, onPaid, onClose }: PayEntryProps) {
  const { t, money } = useLocale();
  const showDone = useDone();
  const texts = t.entries;
  const { amount: planned, currency, payment_method: method } = entry;
  const isOut = isExpense(entry);

  async function save({ amount, payment_method_id }: Payment, at: string | undefined) {
    const settled = isOut ? { paid: true, paid_at: at } : { received: true, received_at: at };
    const { operationId } = await putEntry(entry, { amount, payment_method_id, ...settled });
    const done = (isOut ? t.done.paid : t.done.received)(entry.description);
    showDone(`${done}, ${money(amount, currency)}`, operationId);
    onPaid();
  }
  function moreThanPlanned(amount: string): string {
    const order = /^\d+\.\d\d$/.test(amount) ? compareAmounts(amount, planned) : 0;
    if (order === 0) return '';
    return order > 0
      ? texts.morePlanned(money(subtractAmounts(amount, planned), currency))
      : texts.lessPlanned(money(subtractAmounts(planned, amount), currency));
  }
  return (
    <PaymentPanel
      {...{ amount: planned, currency, send: save, onClose }}
      labels={isOut ? [t.cards.paidAmount, t.cards.paidOn] : [t.status.received, t.cards.paidOn]}
      method={{
        ...{ label: isOut ? texts.with : texts.to, value: method?.id, present: method },
        optional: !isOut,
      }}
      label={isOut ? t.cards.savePaid : texts.saveReceived}
    >
      {({ amount, payment_method_id: methodId }, at) => (
        <>
          <p className="detail muted">{moreThanPlanned(amount)}</p>
          <Effect
            {...{ cycleId: entry.cycleId, at, budgetId: entry.budget?.id, methodId, currency }}
            date={isOut ? entry.due_date : entry.income_date}
            {...(isOut
              ? { amount, counted: planned }
              : { amount: `-${amount}`, counted: `-${planned}` })}
          />
          <Button variant="subtle" size="compact-sm" hiddenFrom="sm" ml={-8} onClick={onOpen}>
            {t.cards.edit}
          </Button>
        </>
      )}
    </PaymentPanel>
  );
}

interface RefundProps {
  expense: ExpenseEntry;
  onClose: () => void;
  onDone: () => void;
}

/** Adds money that came back as an income with the budget and the payment method of its expense. */
export function Refund({ expense, onClose, onDone }: RefundProps) {
  const { t, money } = useLocale();
  const showDone = useDone();
  const texts = t.entries;
  const { cycleId, currency, budget, payment_method: method } = expense;
  const path = { id: cycleId };
  const cycle = useQuery(queries.query('/cycles/{id}', { params: { path } })).data;
  /** The cycle of its day has it, but for a trip, whose budgets count by themselves. */
  const goesTo = (date: string) =>
    cycle && (cycle.side || (cycle.start_date <= date && date <= cycle.end_date))
      ? cycleId
      : undefined;

  async function save(payment: Payment, received_at: string | undefined): Promise<void> {
    const { amount, day: income_date, payment_method_id } = payment;
    if (compareAmounts(amount, expense.amount) > 0)
      throw new FieldError('amount', texts.atMost(money(expense.amount, currency)));
    const description = texts.refundOf(expense.description).slice(0, MAX_DESCRIPTION);
    const income = { description, currency, amount, income_date, payment_method_id };
    const body = { ...income, budget_id: budget?.id, received: true, received_at };
    const sent = await addEntry(body, goesTo(income_date));
    if (!sent) throw new FieldError('day', texts.noCycle);
    showDone(t.done.saved(description), sent.operationId);
    onDone();
  }
  return (
    <PaymentPanel
      {...{ amount: expense.amount, currency, send: save, onClose }}
      labels={[t.fields.amount, t.cards.paidOn]}
      hint={texts.atMost(money(expense.amount, currency))}
      method={{ label: texts.to, value: method.id, present: method, optional: true }}
      label={texts.saveRefund}
    >
      {({ amount, day: date, payment_method_id: methodId }, at) => (
        <Effect
          {...{ date, at, currency, methodId, budgetId: budget?.id, amount: `-${amount}` }}
          cycleId={goesTo(date)}
        />
      )}
    </PaymentPanel>
  );
}
