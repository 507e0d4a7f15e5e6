import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { dueDateOf } from '../payment-methods/statement-dates.js';
import { Database, type Scope } from '../platform/database/database.js';
import { DomainError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import { groupBy } from '../platform/values/group-by.js';
import type { Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CardStatement } from './card-statement.entity.js';
import { CardStatementsRepository } from './card-statements.repository.js';
import { toCard, type Card, type CardFields } from './card.js';
import { listCards } from './cards.queries.js';
import { statementsOfAll, sumsOf } from './cards.service.js';
import {
  toCardStatementResponse,
  type CardStatementResponse,
  type ListStatementsQuery,
  type UpdateCardStatementDto,
} from './dto/card-statement.dto.js';
import { assertConsistent, assertHasClosed } from './statement-errors.js';
import { MAX_DAYS_AHEAD, rangeOf } from './statement-range.js';
import type { Statement } from './statements.js';

/** The card and the closing date of a statement. */
export interface StatementPath {
  paymentMethodId: string;
  closingDate: CalendarDate;
}

/**
 * The statements of cards: derived from the purchases, and stored where somebody has said something
 * of them.
 */
@Injectable()
export class CardStatementsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CardStatementsRepository,
    private readonly activity: ActivityService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly chosen: ChosenPaymentMethods,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * The statements of a payment method by closing date; none of one without statements.
   *
   * @throws ResourceNotFoundError; ValidationFailedError for days that are too far apart;
   *   DomainError CURRENCY_CONVERSION_ERROR where no rate is stored
   */
  list(
    user: AuthenticatedUser,
    paymentMethodId: string,
    query: ListStatementsQuery,
  ): Promise<CardStatementResponse[]> {
    return this.database.snapshot(user, async (scope) => {
      const [method] = await this.paymentMethods.listByIds(scope, [paymentMethodId]);
      if (!method) throw new ResourceNotFoundError('payment_method'); // 404
      const all = await this.statementsOf(scope, await listCards(scope, paymentMethodId));
      return this.toResponses(scope, inRange(all, query, scope)); // 422
    });
  }

  /**
   * The statements of all payment methods, each with its own default days, in the order of the
   * payment methods, then by closing date.
   *
   * @throws ValidationFailedError for days that are too far apart; DomainError
   *   CURRENCY_CONVERSION_ERROR where no rate is stored
   */
  listOfAll(user: AuthenticatedUser, query: ListStatementsQuery): Promise<CardStatementResponse[]> {
    return this.database.snapshot(user, async (scope) => {
      rangeOf(query, [], scope.today); // 422, also without cards
      const cards = (await listCards(scope)).toReversed();
      const ofCards = groupBy(await this.statementsOf(scope, cards), ({ card }) => card);
      return this.toResponses(
        scope,
        [...ofCards.values()].flatMap((all) => inRange(all, query, scope)), // 422
      );
    });
  }

  /**
   * @throws ResourceNotFoundError for the payment method or a day that is no closing; DomainError
   *   CURRENCY_CONVERSION_ERROR where no rate is stored
   */
  get(user: AuthenticatedUser, path: StatementPath): Promise<CardStatementResponse> {
    return this.database.snapshot(user, async (scope) => {
      const [method] = await this.paymentMethods.listByIds(scope, [path.paymentMethodId]);
      if (!method) throw new ResourceNotFoundError('payment_method'); // 404
      return this.toResponse(scope, await this.read(scope, path)); // 404
    });
  }

  /** The user's stored statements with these ids, in any order; other ids are ignored. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<CardStatementResponse[]> {
    const cards = await listCards(scope);
    const statements = await this.statementsOf(
      scope,
      cards.filter(({ stored }) => stored.some(({ id }) => ids.includes(id))),
    );
    return this.toResponses(
      scope,
      statements.filter(({ stored }) => stored && ids.includes(stored.id)),
    );
  }

  /**
   * Stores what is said of a statement, unless that changes nothing. What it amounts to when it is
   * marked as paid stays its amount.
   *
   * @throws ResourceNotFoundError for the payment method or a day that is no closing;
   *   ValidationFailedError when the fields contradict each other, or it has not closed; DomainError
   *   CURRENCY_CONVERSION_ERROR where no rate is stored
   */
  update(
    user: AuthenticatedUser,
    path: StatementPath,
    dto: UpdateCardStatementDto,
    precondition: Precondition,
  ): Promise<CardStatementResponse> {
    assertConsistent(dto, path.closingDate); // 422
    return this.database.transaction(user, async (scope) => {
      const { today } = scope;
      await this.chosen.lock(scope, path.paymentMethodId, 'update'); // 404
      const shown = await this.read(scope, path); // 404
      await precondition.assert(() => this.toResponse(scope, shown)); // 412
      assertHasClosed(dto, path.closingDate, today); // 422
      const stored = await this.repository.lock(scope, path);
      const statement = stored ?? CardStatement.create(shown.card, shown);
      const before = statement.copy();
      if (dto.stated_amount !== undefined) statement.statedAmount = dto.stated_amount;
      if (dto.due_date !== undefined) statement.dueDate = dto.due_date ?? dueDateByRule(shown);
      const amount = statement.statedAmount ?? shown.total.plus(shown.carried);
      const { paid, paid_at: paidAt, paid_amount: paidAmount } = dto;
      statement.pay({ paid, paidAt, paidAmount }, amount, new Date()); // 422: it is not paid
      this.save(scope, { before, after: statement }, { isNew: !stored });
      return this.toResponse(scope, await this.read(scope, path));
    });
  }

  /**
   * Takes back what a record of the activity log says of a statement; one whose creation is undone
   * is derived again.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since, or the
   *   statement was stored anew
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const cardId = await this.repository.findCardId(scope, undo.entityId);
    await this.chosen.lock(scope, cardId, 'update');
    const statement = await this.repository.lockWithDeleted(scope, undo.entityId);
    if (!statement) recordNotFound(); // 404
    undo.assertPossible(statement); // 409
    const before = statement.copy();
    statement.restore(undo.values);
    if (statement.active && !before.active && (await this.repository.lock(scope, statement))) {
      throw new DomainError('RESOURCE_CONFLICT', 'The statement has been stored anew since', {
        resource: CardStatement.type,
      }); // 409
    }
    this.save(scope, { before, after: statement, undo });
  }

  /** Stores a changed statement whose card is locked; if nothing changed, nothing. */
  private save(
    scope: Scope,
    change: Change<CardStatement>,
    { isNew }: { isNew: boolean } = { isNew: false },
  ): void {
    const record = changeOf(change);
    if (!record) return;
    const { after } = change;
    if (isNew) this.repository.insert(scope, [after]);
    else this.repository.update(scope, after);
    this.activity.record(scope, [isNew ? creationOf(after) : record]);
  }

  /** @throws ResourceNotFoundError */
  private async read(
    scope: Scope,
    { paymentMethodId, closingDate }: StatementPath,
  ): Promise<Statement> {
    const statements = await this.statementsOf(scope, await listCards(scope, paymentMethodId));
    const last = addDays(scope.today, MAX_DAYS_AHEAD);
    const found = statements.find((one) => one.closingDate === closingDate);
    if (!found || closingDate > last) throw new ResourceNotFoundError(CardStatement.type); // 404
    return found;
  }

  /** All statements of cards, until the last one that is shown. */
  private async statementsOf(scope: Scope, fields: readonly CardFields[]): Promise<Statement[]> {
    const until = addDays(scope.today, MAX_DAYS_AHEAD);
    const cards: Card[] = fields.map((one) => toCard(one, until));
    const sums = await sumsOf(scope, cards);
    return statementsOfAll(cards, sums, scope);
  }

  private async toResponse(scope: Scope, statement: Statement): Promise<CardStatementResponse> {
    const [response] = await this.toResponses(scope, [statement]);
    if (!response) throw new Error('A statement has a response');
    return response;
  }

  /** @throws DomainError CURRENCY_CONVERSION_ERROR where no rate is stored */
  private async toResponses(
    scope: Scope,
    statements: readonly Statement[],
  ): Promise<CardStatementResponse[]> {
    const { today: date } = scope;
    const converted = statements.filter(({ amount }) => !amount.eq(0));
    const converter = await this.exchangeRates.usdConverter(
      scope,
      converted.map(({ card: { currency } }) => ({ currency, date })),
    );
    return statements.map((statement) => {
      const { amount, card } = statement;
      const inUsd = amount.eq(0)
        ? amount
        : converter.exchange({ amount, currency: card.currency, date }, 'USD');
      return toCardStatementResponse(statement, inUsd);
    });
  }
}

/**
 * The statements of a card that a list has.
 *
 * @throws ValidationFailedError for days that are too far apart
 */
function inRange(
  statements: readonly Statement[],
  query: ListStatementsQuery,
  { today }: Pick<Scope, 'today'>,
): Statement[] {
  const { from, to } = rangeOf(query, statements, today);
  return statements.filter(({ closingDate }) => closingDate >= from && closingDate <= to);
}

/** Its due date by the days of the card; as it is for a card that has no statements any more. */
const dueDateByRule = ({ card: { rules }, closingDate, dueDate }: Statement): CalendarDate =>
  rules ? dueDateOf(closingDate, rules) : dueDate;
