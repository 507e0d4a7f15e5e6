import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { ActivityService } from '../activity/activity.service.js';
import { creationOf } from '../activity/mutation.js';
import { refuse, type PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { StatementsOfCards } from '../payment-methods/statements-of-cards.js';
import type { Scope } from '../platform/database/database.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CardStatement } from './card-statement.entity.js';
import { CardStatementsRepository } from './card-statements.repository.js';
import { toCard } from './card.js';
import { listCards } from './cards.queries.js';
import { CardsService } from './cards.service.js';
import type { Statement } from './statements.js';

@Injectable()
export class KeptStatementsService extends StatementsOfCards {
  constructor(
    private readonly repository: CardStatementsRepository,
    private readonly activity: ActivityService,
    private readonly cards: CardsService,
  ) {
    super();
  }

  override async prepareChange(
    scope: Scope,
    { before, after }: { before: PaymentMethod; after: PaymentMethod },
  ): Promise<void> {
    const hasOtherDays = !isDeepStrictEqual(before.statementRules(), after.statementRules());
    const hasOtherCurrency = before.defaultCurrency !== after.defaultCurrency;
    if (!hasOtherDays && !hasOtherCurrency) return;
    // The change is not sent yet: the card is the one of before.
    const [fields] = await listCards(scope, before.id);
    if (!fields) return;
    if (hasOtherCurrency && fields.stored.length > 0) {
      refuse('default_currency', 'contradiction', 'cannot change: statements are stored in it');
    }
    if (!hasOtherDays) return;
    const card = toCard(fields, scope.today);
    const statements = await this.cards.statementsOf(scope, [card]);
    const kept = keptStatements(statements, scope.today).map((one) => {
      const statement = CardStatement.create(card, one);
      // By autopay, which may end with the days.
      if (one.paidAt) statement.pay({ paid: true, paidAt: one.paidAt }, one.amount, new Date());
      return statement;
    });
    if (kept.length === 0) return;
    this.repository.insert(scope, kept);
    this.activity.record(scope, kept.map(creationOf));
  }
}

/**
 * The statements that have closed and are not stored yet, from the first one that is not empty to
 * the last one: by other days nothing would be known of them. Where all are empty, but not the next
 * one, the last one is kept, which the next one follows.
 *
 * @param statements of one card by closing date
 */
function keptStatements(statements: readonly Statement[], today: CalendarDate): Statement[] {
  const closed = statements.filter(({ closingDate }) => closingDate < today);
  const first = closed.findIndex((statement) => !isEmpty(statement));
  const last = closed.findLastIndex((statement) => !isEmpty(statement));
  if (first >= 0) return closed.slice(first, last + 1).filter(({ stored }) => !stored);
  const next = statements[closed.length];
  return next && !isEmpty(next) ? closed.slice(-1) : [];
}

const isEmpty = ({ stored, amount, total, expenseCount }: Statement): boolean =>
  !stored && amount.eq(0) && total.eq(0) && expenseCount === 0;
