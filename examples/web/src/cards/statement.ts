/** The statements of cards, and which of them a purchase is paid with. */
import { addDays, fromCents, toCents, type Schemas } from 'expense-service-client';
import { queries, tagOf, UNCHANGED_BY_PAYMENTS, useMe, useQuery, useQueryList } from '../api';
import type { State } from '../api';

export type Statement = Schemas['CardStatementResponse'];
export type Method = Schemas['PaymentMethodResponse'];

/** As far as the service has statements, before and after today. */
const DAYS = 400;
/** A statement has at most so many days, also after the days of its card have changed. */
const DAYS_OF_ONE = 62;

interface Days {
  from: string;
  to: string;
}

/** Those whose statements a household can still pay. */
export const daysAround = (today: string): Days => ({
  from: addDays(today, -DAYS),
  to: addDays(today, DAYS),
});

export const statementsQuery = (id: string, query: Partial<Days> = {}) =>
  queries.query('/payment-methods/{id}/statements', { params: { path: { id }, query } });

/** Of all cards, those with purchases of the days; undefined until they have been read. */
export function useStatements(days: Days | undefined): State<Statement[]> {
  const today = useMe().data?.today;
  const query = today && days && { from: days.from, to: lastClosing(today, days.to) };
  const isNone = query && query.from > query.to;
  const [state] = useQueryList(
    query && !isNone ? [queries.query('/card-statements', { params: { query } })] : [],
  );
  return { data: isNone ? [] : state?.data, error: state?.error };
}

/** A card with its statements until the second after the current one. */
export function useCard(id: string) {
  const today = useMe().data?.today;
  const method = useQuery(queries.query('/payment-methods/{id}', { params: { path: { id } } }));
  const query = today && { from: addDays(today, -DAYS), to: addDays(today, DAYS_OF_ONE) };
  const [list] = useQueryList(query ? [statementsQuery(id, query)] : []);
  return {
    data: method.data && list?.data && { method: method.data, statements: list.data },
    error: method.error ?? list?.error,
  };
}

/** Of the statements with purchases until a day, as far as the service has them. */
function lastClosing(today: string, date: string): string {
  const [closing, last] = [addDays(date, DAYS_OF_ONE), addDays(today, DAYS)];
  return closing < last ? closing : last;
}

interface Purchase {
  payment_method: { id: string } | null;
}

/** The statement of what is paid or comes back with a card on a day; undefined: none. */
export const statementOf = (
  statements: readonly Statement[],
  { payment_method: method }: Purchase,
  date: string,
): Statement | undefined =>
  statements.find(
    ({ payment_method: { id }, from, to }) => id === method?.id && from <= date && date <= to,
  );

/** Whether it has closed and can be paid. */
export const isDue = ({ status }: Statement): boolean =>
  status === 'closed' || status === 'overdue';

/** Whether it has closed with nothing to pay, so that it counts as paid by itself. */
export const isNothing = ({ paid, paid_at }: Statement): boolean => paid && paid_at === null;

/** What was paid of it in dollars, at the rate of its amount. */
export function paidUsd({ amount, amount_usd: usd, paid_amount: paid }: Statement): string {
  const all = toCents(amount);
  return paid === null || all <= 0n ? '0.00' : fromCents((toCents(paid) * toCents(usd)) / all);
}

/** In the version that the user saw; one that is not stored has none. */
export function putStatement(statement: Statement, body: Schemas['UpdateCardStatementDto']) {
  const { payment_method: method, closing_date, updated_at } = statement;
  return queries.send('PUT', '/payment-methods/{id}/statements/{closing_date}', {
    params: { path: { id: method.id, closing_date } },
    ...(updated_at !== null && { ifMatch: tagOf({ updated_at }) }),
    body,
    refreshLater: [...UNCHANGED_BY_PAYMENTS, '/expenses', '/incomes'],
  });
}
