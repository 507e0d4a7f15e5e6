/** A statement as one line of what is due, paid with one press. */
import { Anchor } from '@mantine/core';
import { daysBetween, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { useMe } from '../api';
import { Row, SettleButton } from '../components/Row';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { isDue, putStatement, type Statement } from './statement';

/** Pays all of a statement, or takes its payment back. */
export function usePayment() {
  const { t, money } = useLocale();
  const { write, isSaving } = useWrite();
  const pay = (statement: Statement, isPaid = true) => {
    const { name } = statement.payment_method;
    const text = isPaid ? t.done.paid(name) : t.cards.notPaid(name);
    return write({
      ...{ name, done: `${text}, ${money(statement.amount, statement.currency)}` },
      send: () => putStatement(statement, { paid: isPaid }),
    });
  };
  return { pay, isSaving };
}

export function PayButton({ statement }: { statement: Statement }) {
  const { t, day } = useLocale();
  const { name } = statement.payment_method;
  const { pay, isSaving } = usePayment();
  const variant = statement.status === 'overdue' ? 'filled' : 'default';
  const line = t.cards.lineOf(name, day(statement.closing_date, 'day'));
  return (
    <SettleButton
      {...{ label: t.overview.pay, name: line, variant, disabled: isSaving }}
      onPress={() => void pay(statement)}
    />
  );
}

interface StatementRowProps {
  /** With what cycles that would follow add to it. */
  entry: Schemas['ForecastEntryResponse'];
  statement: Statement | undefined;
}

export function StatementRow({ entry, statement }: StatementRowProps) {
  const { t, money, day } = useLocale();
  const today = useMe().data?.today ?? entry.date;
  const texts = t.cards;
  const { description, payment_method: method, entry_date: due } = entry;
  const late = daysBetween({ from: due, to: today });
  const carried = statement && statement.carried_amount !== '0.00';
  return (
    <Row
      money={entry}
      name={
        <Anchor component={Link} href={`/accounts/${method?.id}`} fw={500} c="inherit">
          {statement ? texts.lineOf(description, day(statement.closing_date, 'day')) : description}
        </Anchor>
      }
      details={
        <>
          {late > 0 && <span className="danger">{`${day(due)}, ${t.in.late(late)} · `}</span>}
          {statement && texts.purchases(statement.expense_count)}
          {carried && texts.andCarried(money(statement.carried_amount, statement.currency))}
        </>
      }
    >
      {statement && isDue(statement) && <PayButton statement={statement} />}
    </Row>
  );
}
