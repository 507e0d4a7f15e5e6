import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import type { Scope } from '../platform/database/database.js';
import { withPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { Money } from '../platform/values/money.js';
import {
  daysOfStatements,
  toCard,
  type Card,
  type StatementDates,
  type StatementDays,
} from './card.js';
import { listCards, sumPurchases, type PurchaseSum } from './cards.queries.js';
import {
  paymentsOf,
  statementsWith,
  type Purchases,
  type Statement,
  type StatementPayment,
} from './statements.js';

/** What was bought with a card by closing date of the statement, each currency by itself. */
export type SumsOfCard = ReadonlyMap<CalendarDate, readonly PurchaseSum[]>;

/** What is paid with cards leaves other payment methods when statements are paid. */
export interface CardSettlements {
  /** The days whose purchases and credits have a statement. */
  days: readonly StatementDays[];
  payments: readonly StatementPayment[];
}

/** The same with amounts in USD, each at the rate in force on its day. */
export interface SettlementsInUsd extends Pick<CardSettlements, 'days'> {
  payments: readonly { date: CalendarDate; amountUsd: Money }[];
}

/** The cards of a user with their statements, for all that counts them. */
@Injectable()
export class CardsService {
  constructor(private readonly exchangeRates: ExchangeRatesService) {}

  /**
   * The cards, active or not, oldest first. Other requests run meanwhile.
   *
   * @param until the last day whose purchases must have their statement
   */
  async list(scope: Scope, until: CalendarDate): Promise<Card[]> {
    const cards: Card[] = [];
    for await (const card of withPauses(await listCards(scope))) cards.push(toCard(card, until));
    return cards;
  }

  /**
   * What was bought with cards, by their ids and the closing dates of statements; of statements that
   * are stored as paid nothing.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount without a stored rate
   */
  sumUnpaid(scope: Scope, cards: readonly Card[]): Promise<ReadonlyMap<string, SumsOfCard>> {
    return sumsOf(scope, cards, ({ stored }) => !stored?.paid);
  }

  /**
   * The statements of cards with what changes their amounts.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount without a stored rate
   */
  async statementsOf(scope: Scope, cards: readonly Card[]): Promise<Statement[]> {
    return statementsOfAll(cards, await this.sumUnpaid(scope, cards), scope);
  }

  /**
   * What cards have to do with other payment methods.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount without a stored rate
   */
  async settlements(scope: Scope): Promise<CardSettlements> {
    const cards = await this.list(scope, scope.today);
    const statements = await this.statementsOf(scope, cards);
    return { days: cards.flatMap(daysOfStatements), payments: paymentsOf(statements, scope) };
  }

  /**
   * Like {@link settlements}, in USD.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR for an amount without a stored rate
   */
  async settlementsInUsd(scope: Scope): Promise<SettlementsInUsd> {
    const { days, payments } = await this.settlements(scope);
    const converter = await this.exchangeRates.usdConverter(scope, payments);
    return {
      days,
      payments: payments.map((payment) => ({
        date: payment.date,
        amountUsd: converter.exchange(payment, 'USD'),
      })),
    };
  }
}

/** The statements of cards. Other requests run meanwhile. */
export async function statementsOfAll(
  cards: readonly Card[],
  sums: ReadonlyMap<string, SumsOfCard>,
  { today, timeZone }: Pick<Scope, 'today' | 'timeZone'>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for await (const card of withPauses(cards)) {
    statements.push(...statementsWith(card, purchasesOf(sums.get(card.id)), { today, timeZone }));
  }
  return statements;
}

/** The sums of the purchases of statements, by card and closing date. */
export async function sumsOf(
  scope: Scope,
  cards: readonly Card[],
  isSummed: (statement: StatementDates) => boolean = () => true,
): Promise<ReadonlyMap<string, SumsOfCard>> {
  const statements = cards.flatMap((card) =>
    card.statements.filter(isSummed).map((statement) => ({ ...statement, card })),
  );
  const sums = new Map<string, Map<CalendarDate, PurchaseSum[]>>();
  for (const sum of await sumPurchases(scope, statements)) {
    const statement = statements[sum.index];
    if (!statement) continue;
    const { card, closingDate } = statement;
    const ofCard = sums.get(card.id) ?? new Map<CalendarDate, PurchaseSum[]>();
    sums.set(card.id, ofCard.set(closingDate, [...(ofCard.get(closingDate) ?? []), sum]));
  }
  return sums;
}

/** What was bought, in the currency of the card. */
const purchasesOf = (sums: SumsOfCard = new Map()): ReadonlyMap<CalendarDate, Purchases> =>
  new Map([...sums].map(([closingDate, of]) => [closingDate, totalOf(of)]));

export const totalOf = (
  sums: readonly Pick<PurchaseSum, 'converted' | 'expenseCount'>[],
): Purchases => ({
  total: sums.reduce((total, { converted }) => total.plus(converted), new Big(0)),
  expenseCount: sums.reduce((count, { expenseCount }) => count + expenseCount, 0),
});
