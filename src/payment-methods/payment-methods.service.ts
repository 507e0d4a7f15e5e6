import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { Database, type Scope } from '../platform/database/database.js';
import {
  assertWithinLimit,
  NameTakenError,
  ResourceNotFoundError,
} from '../platform/errors/domain-error.js';
import type { Precondition } from '../platform/values/precondition.js';
import { idIfChanged } from '../records/chosen-records.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { ChosenPaymentMethods } from './chosen-payment-methods.js';
import {
  toPaymentMethodResponse,
  type CreatePaymentMethodDto,
  type ListPaymentMethodsQuery,
  type PaymentMethodResponse,
  type UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { MAX_PAYMENT_METHODS, PaymentMethod, refuse } from './payment-method.entity.js';
import { listPaymentMethods } from './payment-methods.queries.js';
import { PaymentMethodsRepository } from './payment-methods.repository.js';
import { StatementsOfCards } from './statements-of-cards.js';

/**
 * Payment methods of a user. A deleted one is inactive: what has it keeps it, and its name stays
 * taken.
 */
@Injectable()
export class PaymentMethodsService {
  constructor(
    private readonly database: Database,
    private readonly repository: PaymentMethodsRepository,
    private readonly activity: ActivityService,
    private readonly chosen: ChosenPaymentMethods,
    private readonly statements: StatementsOfCards,
  ) {}

  /** The user's payment methods, newest first; active and inactive ones unless filtered. */
  list(user: AuthenticatedUser, query: ListPaymentMethodsQuery): Promise<PaymentMethodResponse[]> {
    return this.database.read(user, (scope) => listPaymentMethods(scope, query));
  }

  /** The user's payment methods with these ids, in any order; other ids are ignored. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<PaymentMethodResponse[]> {
    const methods = await this.repository.listByIds(scope, ids);
    return methods.map(toPaymentMethodResponse);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<PaymentMethodResponse> {
    const method = await this.database.read(user, (scope) => this.repository.find(scope, { id }));
    if (!method) throw new ResourceNotFoundError(PaymentMethod.type);
    return toPaymentMethodResponse(method);
  }

  /**
   * @throws ResourceNotFoundError for the payment method from which it is paid; DomainError
   *   RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the limit;
   *   ValidationFailedError
   */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethodResponse> {
    const { today } = user;
    const method = PaymentMethod.create(fieldsIn(PaymentMethod.fields, dto), today); // 422
    return this.database.transaction(user, async (scope) => {
      const paidFrom = await this.chosen.lock(scope, dto.paid_from_id ?? null); // 404
      const stored = await this.repository.count(scope);
      method.choosePaidFrom(paidFrom);
      const existing = await this.repository.insertOrFindByName(scope, method);
      if (existing) throw new NameTakenError(PaymentMethod.type, existing); // 409
      assertWithinLimit('payment_method', { stored, limit: MAX_PAYMENT_METHODS }); // 409
      method.assertPaidFrom(paidFrom); // 422
      this.activity.record(scope, [creationOf(method)]);
      return toPaymentMethodResponse(method);
    });
  }

  /**
   * When the days of its statements change, those that have closed are stored first, so that they
   * keep their dates.
   *
   * @throws ResourceNotFoundError for it or the one from which it is paid; DomainError
   *   RESOURCE_CONFLICT when the new name exists; ValidationFailedError
   */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdatePaymentMethodDto,
    precondition: Precondition,
  ): Promise<PaymentMethodResponse> {
    return this.database.transaction(user, async (scope) => {
      const { found: method, namesake } = await this.repository.lockToChange(scope, id, dto.name);
      if (!method) throw new ResourceNotFoundError(PaymentMethod.type); // 404
      const chosen = idIfChanged(method.paidFromId, dto.paid_from_id);
      const paidFrom = await this.chosen.lock(scope, chosen); // 404
      await precondition.assert(() => toPaymentMethodResponse(method)); // 412
      if (namesake) throw new NameTakenError(PaymentMethod.type, namesake); // 409
      const before = method.copy();
      method.update(fieldsIn(PaymentMethod.fields, dto), scope.today); // 422
      method.choosePaidFrom(paidFrom);
      method.assertPaidFrom(paidFrom); // 422
      await this.save(scope, { before, after: method }); // 422: it pays another one
      return toPaymentMethodResponse(method);
    });
  }

  /**
   * A soft deletion: it can still be read, and its name remains reserved.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    await this.update(user, id, { active: false }, precondition);
  }

  /**
   * Takes back what a record of the activity log says of a payment method; one whose creation is
   * undone is inactive.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since, or the
   *   name of before exists; ValidationFailedError when the values that result contradict each
   *   other, or the payment method from which it was paid is inactive or a card with statements
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const { entityId, values } = undo;
    const name = values.name as string | undefined;
    const { found: method, namesake } = await this.repository.lockToChange(scope, entityId, name);
    if (!method) recordNotFound(); // 404
    undo.assertPossible(method); // 409
    const recorded = values.paid_from_id as string | null | undefined;
    const paidFrom = await this.chosen.lock(scope, idIfChanged(method.paidFromId, recorded));
    const before = method.copy();
    if (namesake) throw new NameTakenError(PaymentMethod.type, namesake); // 409
    method.restore(values); // 422
    method.choosePaidFrom(paidFrom);
    method.assertPaidFrom(paidFrom); // 422
    await this.save(scope, { before, after: method, undo }); // 422: it pays another one
  }

  /**
   * Stores a changed payment method that is locked; if nothing changed, nothing.
   *
   * @throws ValidationFailedError when it gets a closing day although another one is paid from it,
   *   or another currency although statements of it are stored
   */
  private async save(scope: Scope, change: Change<PaymentMethod>): Promise<void> {
    const record = changeOf(change);
    if (!record) return;
    const { before, after } = change;
    if (before.closingDay === null && after.closingDay !== null) {
      const paysOthers = await this.repository.isPaidFrom(scope, after);
      if (paysOthers) refuse('closing_day', 'contradiction', 'is not for one that pays another');
    }
    await this.statements.prepareChange(scope, { before, after }); // 422
    this.repository.update(scope, after);
    this.activity.record(scope, [record]);
  }
}
