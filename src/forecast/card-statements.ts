/** What statements of cards take, in place of the purchases that they have. */
import { statementOf, type Card } from '../cards/card.js';
import { totalOf, type SumsOfCard } from '../cards/cards.service.js';
import { statementsWith, type Statement } from '../cards/statements.js';
import type { DatedAmount, UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { withPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf, moneyOf, sumMoney, type Cents, type Money } from '../platform/values/money.js';
import { plannedEntry, type PlannedEntry } from './planned-entry.js';
import { isInForecast, type ForecastQuery } from './query.js';

/** The cards of a forecast. */
export interface PlannedCards {
  /** Those whose statements count, by their ids. */
  counting: ReadonlyMap<string, Card>;
  /** What was bought with them, by their ids. */
  sums: ReadonlyMap<string, SumsOfCard>;
  timeZone: string;
}

/**
 * The cards whose statements count: all, or with a payment method those that are paid from it.
 *
 * @param mainId the main payment method, from which those are paid that name none
 */
export const countingCards = (
  cards: readonly Card[],
  { paymentMethodId }: Pick<ForecastQuery, 'paymentMethodId'>,
  mainId: string | null,
): ReadonlyMap<string, Card> =>
  new Map(
    cards
      .filter(
        ({ paidFromId }) => paymentMethodId === null || (paidFromId ?? mainId) === paymentMethodId,
      )
      .map((card) => [card.id, card]),
  );

/**
 * How an entry counts until the last day: by itself, as a purchase or credit of a statement, in
 * whatever currency, or by the filters not at all.
 */
export function roleOf(
  entry: Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod'>,
  query: ForecastQuery,
  { counting }: Pick<PlannedCards, 'counting'>,
): 'entry' | 'purchase' | null {
  const card = counting.get(entry.paymentMethod?.id ?? '');
  if (card && entry.date <= query.freeUntil && statementOf(card, entry.date)) return 'purchase';
  return isInForecast(entry, query) ? 'entry' : null;
}

/** The dates of new purchases in USD with cards in pesos, for a converter. */
export const datesOfPurchasesInUsd = (
  entries: readonly Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod'>[],
  { counting }: Pick<PlannedCards, 'counting'>,
): CalendarDate[] =>
  entries
    .filter(
      ({ currency, paymentMethod }) =>
        currency === 'USD' && counting.get(paymentMethod?.id ?? '')?.currency === 'MXN',
    )
    .map(({ date }) => date);

/** The sum of purchases of a statement in one currency, less its credits. */
interface PurchaseSum {
  currency: CurrencyCode;
  amount: Money;
  /** In the currency of the card. */
  converted: Money;
  expenseCount: number;
}

/** Gives an amount in USD; the date decides about other exchange rates. */
export type ToUsd = (amount: DatedAmount) => Cents;

/**
 * The statements that are not paid and of which something is to be paid, on their due dates. Other
 * requests run meanwhile.
 *
 * @param purchases what is not stored: entries of cycles that would follow and of changes
 * @param toUsd converts what is to be paid
 * @param converter with the rates of purchases in USD with cards in pesos
 */
export async function statementEntries(
  { counting, sums, timeZone }: PlannedCards,
  purchases: readonly PlannedEntry[],
  query: ForecastQuery,
  { toUsd, converter }: { toUsd: ToUsd; converter: UsdConverter },
): Promise<PlannedEntry[]> {
  const added = sumsOfPurchases(counting, purchases, converter);
  const entries: PlannedEntry[] = [];
  for await (const card of withPauses([...counting.values()])) {
    const stored = sums.get(card.id);
    const sumsOf = (closing: CalendarDate): PurchaseSum[] => [
      ...(stored?.get(closing) ?? []),
      ...(added.get(keyOf(card, closing)) ?? []),
    ];
    const closings = card.statements.map(({ closingDate }) => closingDate);
    const totals = new Map(closings.map((closing) => [closing, totalOf(sumsOf(closing))]));
    for (const statement of statementsWith(card, totals, { today: query.today, timeZone })) {
      if (statement.paid || statement.dueDate > query.freeUntil) continue;
      const due = amountDue(statement, sumsOf(statement.closingDate), query);
      if (due.amount.gt(0)) entries.push(statementEntry(statement, due, toUsd));
    }
  }
  return entries;
}

const keyOf = ({ id }: Card, closing: CalendarDate): string => `${id} ${closing}`;

/** Sums each purchase by itself, by card and closing date. */
function sumsOfPurchases(
  counting: ReadonlyMap<string, Card>,
  purchases: readonly PlannedEntry[],
  converter: UsdConverter,
): ReadonlyMap<string, readonly PurchaseSum[]> {
  const sums = new Map<string, PurchaseSum[]>();
  for (const purchase of purchases) {
    const card = counting.get(purchase.paymentMethod?.id ?? '');
    const statement = card && statementOf(card, purchase.date);
    if (!statement) continue;
    const key = keyOf(card, statement.closingDate);
    const ofStatement = sums.get(key);
    const sum = sumOfPurchase(purchase, card, converter);
    if (ofStatement) ofStatement.push(sum);
    else sums.set(key, [sum]);
  }
  return sums;
}

function sumOfPurchase(
  { type, currency, date, ...purchase }: PlannedEntry,
  card: Card,
  converter: UsdConverter,
): PurchaseSum {
  const sign = type === 'cycle_income' ? -1 : 1;
  const amount = moneyOf(purchase.amount).times(sign);
  const converted =
    card.currency === 'USD'
      ? moneyOf(purchase.amountUsd).times(sign)
      : converter.exchange({ amount, currency, date }, card.currency);
  return { currency, amount, converted, expenseCount: sign === 1 ? 1 : 0 };
}

interface AmountDue {
  amount: Money;
  currency: CurrencyCode;
}

/** What a statement takes of the currency of a forecast; what is stated has that of the card. */
function amountDue(
  { card, stored, amount, carried }: Statement,
  sums: readonly PurchaseSum[],
  { currency }: Pick<ForecastQuery, 'currency'>,
): AmountDue {
  const isOfCard = currency === card.currency;
  const isStated = stored !== null && stored.statedAmount !== null;
  if (currency === null || (isOfCard && isStated)) return { amount, currency: card.currency };
  const own = isStated ? [] : sums.filter((sum) => sum.currency === currency);
  const bought = sumMoney(own.map((sum) => sum.amount));
  return { amount: isOfCard ? bought.plus(carried) : bought, currency };
}

const statementEntry = (
  { card, stored, dueDate: date }: Statement,
  due: AmountDue,
  toUsd: ToUsd,
): PlannedEntry =>
  plannedEntry({
    type: 'card_statement',
    id: stored?.id ?? null,
    date,
    description: card.name,
    paymentMethod: card,
    currency: due.currency,
    amount: centsOf(due.amount),
    amountUsd: toUsd({ ...due, date }),
  });
