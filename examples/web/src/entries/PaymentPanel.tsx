/** A payment with another amount or on another day, or money that came back, below what it is of. */
import type { ReactNode } from 'react';
import { Button, SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { compareAmounts, reasonMessage, subtractAmounts } from 'expense-service-client';
import { noonOf } from '../accounts/account';
import { queries, useMe, useQuery, type Currency } from '../api';
import { Panel } from '../components/Panel';
import { FieldError, Form } from '../components/Form';
import { DayInput, isAmount, MoneyInput, RecordSelect, useRules } from '../components/inputs';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { addEntry, dateOf, isExpense, putEntry } from './entry';
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
  /** Left out: a statement, whose card is known. */
  method?: { label: string; present: { id: string; name: string } | null; clearable: boolean };
  label: string | ((payment: Payment) => string);
  /** `at` is noon of a day before today; undefined: now. */
  send: (payment: Payment, at: string | undefined) => Promise<unknown>;
  onClose: () => void;
  children: (payment: Payment, at: string | undefined) => ReactNode;
}

export function PaymentPanel({ amount, currency, labels, hint, ...props }: PaymentPanelProps) {
  const { language } = useLocale();
  const rules = useRules();
  const user = useMe().data;
  const { method, label, send, onClose, children } = props;
  const form = useForm<Payment>({
    initialValues: {
      amount,
      day: user?.today ?? '',
      payment_method_id: method?.present?.id ?? null,
    },
    validate: {
      amount: rules.amount,
      day: rules.required,
      payment_method_id: method && !method.clearable ? rules.required : undefined,
    },
  });
  if (!user) return null;

  const save = async (payment: Payment): Promise<void> => {
    if (payment.day > user.today)
      throw new FieldError('day', reasonMessage('out_of_order', language));
    await send(payment, noonOf(payment.day, user));
  };
  return (
    <Panel onClose={onClose}>
      <Form
        form={form}
        send={save}
        label={typeof label === 'string' ? label : label(form.values)}
        onCancel={onClose}
      >
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
          <MoneyInput
            label={labels[0]}
            description={hint}
            currency={currency}
            {...form.getInputProps('amount')}
          />
          <DayInput label={labels[1]} {...form.getInputProps('day')} />
          {method && (
            <RecordSelect
              of="/payment-methods"
              {...method}
              {...form.getInputProps('payment_method_id')}
            />
          )}
        </SimpleGrid>
        {children(form.values, noonOf(form.values.day, user))}
      </Form>
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
  function moreThanPlanned(amount: string): ReactNode {
    const order = isAmount(amount) ? compareAmounts(amount, planned) : 0;
    if (order === 0) return null;
    const [more, less] = order > 0 ? [amount, planned] : [planned, amount];
    const text = order > 0 ? texts.morePlanned : texts.lessPlanned;
    return <p className="detail muted">{text(money(subtractAmounts(more, less), currency))}</p>;
  }
  return (
    <PaymentPanel
      amount={planned}
      currency={currency}
      send={save}
      onClose={onClose}
      labels={isOut ? [t.cards.paidAmount, t.cards.paidOn] : [t.status.received, t.cards.paidOn]}
      method={{ label: isOut ? texts.with : texts.to, present: method, clearable: !isOut }}
      label={isOut ? t.cards.savePaid : texts.saveReceived}
    >
      {({ amount, payment_method_id: methodId }, at) => (
        <>
          {moreThanPlanned(amount)}
          <Effect
            cycleId={entry.cycleId}
            date={dateOf(entry)}
            at={at}
            budgetId={entry.budget?.id}
            methodId={methodId}
            currency={currency}
            amount={isOut ? amount : `-${amount}`}
            counted={isOut ? planned : `-${planned}`}
          />
          <Button variant="subtle" size="compact-sm" hiddenFrom="sm" mr="auto" onClick={onOpen}>
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
      amount={expense.amount}
      currency={currency}
      send={save}
      onClose={onClose}
      labels={[t.fields.amount, t.cards.paidOn]}
      hint={texts.atMost(money(expense.amount, currency))}
      method={{ label: texts.to, present: method, clearable: true }}
      label={texts.saveRefund}
    >
      {({ amount, day: date, payment_method_id: methodId }, at) => (
        <Effect
          cycleId={goesTo(date)}
          date={date}
          at={at}
          budgetId={budget?.id}
          methodId={methodId}
          currency={currency}
          amount={`-${amount}`}
        />
      )}
    </PaymentPanel>
  );
}
