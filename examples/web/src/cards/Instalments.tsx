/** With which statement a purchase is paid, and its payments where it is paid in monthly parts. */
import { addAmounts, formatNumber, type Schemas } from 'expense-service-client';
import { DataTable } from '../components/DataTable';
import { useLocale } from '../locale';
import { instalmentsOf, monthsLater } from '../planning/templates';
import { statementOf, useStatements } from './statement';

/** What a form has while it is typed: nothing that is sure to be complete. */
interface Purchase {
  payment_method_id?: string | null;
  due_date: string;
}

/** The statement of a purchase, if it is by card. */
export function PaidWith({ payment_method_id: id, due_date: date }: Purchase) {
  const { t, day } = useLocale();
  const { data = [] } = useStatements(date ? { from: date, to: date } : undefined);
  const statement = statementOf(data, { payment_method: id ? { id } : null }, date);
  if (!statement) return null;
  const closing = day(statement.closing_date, 'day');
  return (
    <span className="detail muted">
      {statement.paid
        ? t.cards.alreadyPaid(closing)
        : t.cards.paidWith(closing, day(statement.due_date))}
    </span>
  );
}

interface PaymentsProps extends Purchase {
  amount: string;
  currency: Schemas['CurrencyCode'];
  count: number;
}

const ROWS_AT_FIRST = 3;

/** The amounts of the payments, to the cent, and when they leave. */
export function Payments({ amount, currency, count, ...purchase }: PaymentsProps) {
  const { t, locale, day, money } = useLocale();
  const texts = t.cards;
  const { payment_method_id: id, due_date: first } = purchase;
  const to = first && monthsLater(first, count - 1);
  const { data = [] } = useStatements(first ? { from: first, to } : undefined);
  if (!first || !/^\d+\.\d\d$/.test(amount)) return null;
  const { each, last } = instalmentsOf(amount, count);
  const all = Array.from({ length: count }, (_, i) => {
    const date = monthsLater(first, i);
    const statement = statementOf(data, { payment_method: id ? { id } : null }, date);
    return { number: i + 1, date, statement, amount: i + 1 < count ? each : last };
  });
  const more = count - ROWS_AT_FIRST - 1;
  const inCurrency = (value: string) => money(value, currency);
  return (
    <div role="status" style={{ marginTop: 16 }}>
      <b>
        {each === last
          ? texts.equalParts(count, inCurrency(each))
          : texts.parts(count - 1, inCurrency(each), inCurrency(last))}
      </b>
      <p className="detail muted">
        {texts.together(inCurrency(addAmounts(...all.map((payment) => payment.amount))))}
      </p>
      <DataTable
        label={texts.monthly}
        groups={[
          { items: all.slice(0, ROWS_AT_FIRST) },
          {
            title: more > 0 && texts.moreOf(more, inCurrency(each)),
            items: all.slice(Math.max(ROWS_AT_FIRST, count - 1)),
          },
        ]}
        columns={[
          { title: texts.payment, cell: ({ number }) => t.instalment(number, count) },
          {
            title: texts.paidOn,
            isEnd: true,
            from: 'sm',
            cell: ({ date }) => day(date, 'year'),
          },
          {
            title: texts.leavesOn,
            isEnd: true,
            cell: ({ statement }) => statement && day(statement.due_date, 'year'),
          },
          {
            title: currency,
            isEnd: true,
            cell: (payment) => formatNumber(payment.amount, locale),
          },
        ]}
      />
    </div>
  );
}
