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
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  toPaymentMethodResponse,
  type CreatePaymentMethodDto,
  type ListPaymentMethodsQuery,
  type PaymentMethodResponse,
  type UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { MAX_PAYMENT_METHODS, PaymentMethod } from './payment-method.entity.js';
import { listPaymentMethods } from './payment-methods.queries.js';
import { PaymentMethodsRepository } from './payment-methods.repository.js';

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
   * @throws DomainError RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the
   *   limit
   */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethodResponse> {
    return this.database.transaction(user, async (scope) => {
      const stored = await this.repository.count(scope);
      const method = PaymentMethod.create(fieldsIn(PaymentMethod.fields, dto));
      const existing = await this.repository.insertOrFindByName(scope, method);
      if (existing) throw new NameTakenError(PaymentMethod.type, existing); // 409
      assertWithinLimit('payment_method', { stored, limit: MAX_PAYMENT_METHODS }); // 409
      this.activity.record(scope, [creationOf(method)]);
      return toPaymentMethodResponse(method);
    });
  }

  /** @throws ResourceNotFoundError, DomainError RESOURCE_CONFLICT when the new name exists */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdatePaymentMethodDto,
    precondition: Precondition,
  ): Promise<PaymentMethodResponse> {
    return this.database.transaction(user, async (scope) => {
      const { found: method, namesake } = await this.repository.lockToChange(scope, id, dto.name);
      if (!method) throw new ResourceNotFoundError(PaymentMethod.type); // 404
      await precondition.assert(() => toPaymentMethodResponse(method)); // 412
      const before = method.copy();
      method.update(fieldsIn(PaymentMethod.fields, dto));
      if (namesake) throw new NameTakenError(PaymentMethod.type, namesake); // 409
      this.save(scope, { before, after: method });
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
   *   name of before exists
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const { entityId, values } = undo;
    const name = values.name as string | undefined;
    const { found: method, namesake } = await this.repository.lockToChange(scope, entityId, name);
    if (!method) recordNotFound(); // 404
    undo.assertPossible(method); // 409
    const before = method.copy();
    method.restore(values);
    if (namesake) throw new NameTakenError(PaymentMethod.type, namesake); // 409
    this.save(scope, { before, after: method, undo });
  }

  /** Stores a changed payment method that is locked; if nothing changed, nothing. */
  private save(scope: Scope, change: Change<PaymentMethod>): void {
    const record = changeOf(change);
    if (!record) return;
    this.repository.update(scope, change.after);
    this.activity.record(scope, [record]);
  }
}
