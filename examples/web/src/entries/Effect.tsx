/** What a payment or a refund changes, from what it was to what it will be. */
import { Fragment, type ReactNode } from 'react';
import { addAmounts, formatNumber, isNegative, subtractAmounts } from 'expense-service-client';
import { converted } from '../accounts/account';
import { queries, useQuery, useQueryList, useRate, type Currency } from '../api';
import { statementOf, useStatements } from '../cards/statement';
import { useLocale } from '../locale';
import { takesEntries } from './entry';

interface EffectProps {
  /** The cycle in which its budget counts it; left out: that of its day. */
  cycleId?: string | undefined;
  date: string;
  /** When it leaves the account; left out: now, null: not at once. */
  at?: string | null | undefined;
  budgetId: string | null | undefined;
  methodId: string | null | undefined;
  currency: Currency;
  /** Below zero: it comes back. */
  amount: string;
  /** What of it the budget has counted before. */
  counted?: string;
}

/** What is left of the budget, and what the account has or the statement takes. */
export function Effect({ counted = '0.00', ...props }: EffectProps) {
  const { t, day } = useLocale();
  const { date, at, budgetId, methodId, currency, amount } = props;
  const rate = useRate(date);
  const ofDay = useQuery(queries.query('/cycles', { params: { query: { date } } })).data?.cycles;
  const cycle_id = props.cycleId ?? ofDay?.find(takesEntries)?.id;
  const [summary] = useQueryList(
    cycle_id
      ? [queries.query('/cycles/{cycle_id}/summary', { params: { path: { cycle_id } } })]
      : [],
  );
  const holdings = useQuery(queries.query('/balances/current')).data;
  const { data: statements = [] } = useStatements(date ? { from: date, to: date } : undefined);
  if (!/^-?\d+\.\d\d$/.test(amount) || !rate) return null;
  const inOther = (value: string, to: Currency) => converted(value, { from: currency, to, rate });

  const rows: ReactNode[] = [];
  const use = summary?.data?.by_budget.find(({ budget }) => budgetId && budget?.id === budgetId);
  if (use?.left) {
    const left = addAmounts(use.left, inOther(counted, use.currency));
    const will = subtractAmounts(left, inOther(amount, use.currency));
    rows.push(<Change name={use.budget?.name} was={use.left} will={will} unit={use.currency} />);
  }
  const method = methodId ? { id: methodId } : null;
  const statement = statementOf(statements, { payment_method: method }, date);
  const holding = holdings?.payment_methods.find((each) => each.payment_method.id === methodId);
  if (statement && !statement.paid) {
    const { amount: was, currency: unit, closing_date: closing } = statement;
    const name = `${t.cards.statement} ${day(closing, 'day')}`;
    const will = addAmounts(was, inOther(amount, unit));
    rows.push(<Change name={name} was={was} will={will} unit={unit} />);
  } else if (holding && at !== null && (!at || at > holding.stated_at)) {
    const { amount: was, currency: unit, payment_method } = holding;
    const will = subtractAmounts(was, inOther(amount, unit));
    rows.push(<Change name={payment_method.name} was={was} will={will} unit={unit} />);
  }
  if (rows.length === 0) return null;
  return (
    <dl className="effect" aria-label={t.entries.effect}>
      {rows.map((row, i) => (
        <Fragment key={i}>{row}</Fragment>
      ))}
    </dl>
  );
}

interface ChangeProps {
  name: string | undefined;
  was: string;
  will: string;
  unit: Currency;
}

/** `4,260.00 → 3,810.00 MXN`, or `$8.33 over → $0.39 left`. */
function Change({ name, was, will, unit }: ChangeProps) {
  const { t, locale, money } = useLocale();
  const texts = t.planning.budgets;
  const short = (amount: string) =>
    unit === 'USD' ? money(amount, unit) : formatNumber(amount, locale);
  const inWords = (amount: string, text: (amount: string) => string) => {
    if (!isNegative(was) && !isNegative(will)) return text(amount);
    if (!isNegative(amount)) return texts.left(text(amount));
    return <span className="danger">{texts.over(text(amount.slice(1)))}</span>;
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {inWords(was, short)} → <b>{inWords(will, (amount) => money(amount, unit))}</b>
      </dd>
    </div>
  );
}
