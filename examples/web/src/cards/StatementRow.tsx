/** A statement as one line of what is due, paid with one press. */
import { Anchor } from '@mantine/core';
import { daysBetween, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { useMe } from '../api';
import { useIsNarrow } from '../components/Page';
import { usePanel, type PanelState } from '../components/Panel';
import { Row, SettleButton, SplitButton } from '../components/Row';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { PayOtherwise } from './PayOtherwise';
import { isDue, putStatement, type Statement } from './statement';

/** Pays all of a statement, or takes its payment back. */
export function usePayment() {
  const { t, money } = useLocale();
  const { write, isSaving } = useWrite();
  const pay = (statement: Statement, isPaid = true) => {
    const { name } = statement.payment_method;
    const text = isPaid ? t.done.paid(name) : t.cards.notPaid(name);
    return write({
      name,
      done: `${text}, ${money(statement.amount, statement.currency)}`,
      send: () => putStatement(statement, { paid: isPaid }),
    });
  };
  return { pay, isSaving };
}

interface PayButtonProps {
  statement: Statement;
  /** Left out: all of it is paid, now. */
  panel?: PanelState | undefined;
}

export function PayButton({ statement, panel }: PayButtonProps) {
  const { t, day } = useLocale();
  const { pay, isSaving } = usePayment();
  const variant = statement.status === 'overdue' ? 'filled' : 'default';
  const { payment_method: method, closing_date: closing } = statement;
  const name = t.cards.lineOf(method.name, day(closing, 'day'));
  return (
    <SplitButton panel={panel} name={name} variant={variant}>
      <SettleButton
        label={t.overview.pay}
        name={name}
        variant={variant}
        disabled={isSaving}
        onPress={() => void pay(statement)}
      />
    </SplitButton>
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
  const panel = usePanel();
  const isNarrow = useIsNarrow();
  const late = daysBetween({ from: due, to: today });
  const search = statement ? `?statement=${statement.closing_date}` : '';
  const carried = statement && statement.carried_amount !== '0.00';
  return (
    <>
      <Row
        money={entry}
        name={
          <Anchor
            component={Link}
            href={`/accounts/${method?.id}${search}`}
            className="name"
            fw={500}
            c="inherit"
          >
            {statement
              ? texts.lineOf(description, day(statement.closing_date, 'day'))
              : description}
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
        {statement && isDue(statement) && (
          <PayButton statement={statement} panel={isNarrow ? undefined : panel} />
        )}
      </Row>
      {statement && panel.isOpen && <PayOtherwise statement={statement} onClose={panel.close} />}
    </>
  );
}
