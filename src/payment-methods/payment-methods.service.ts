import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import type { Snapshot } from '../activity/changes.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { Database, type Scope } from '../platform/database/database.js';
import {
  assertWithinLimit,
  DomainError,
  ResourceNotFoundError,
} from '../platform/errors/domain-error.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  changedPaymentMethodFields,
  newPaymentMethodFields,
  toPaymentMethodResponse,
  type CreatePaymentMethodDto,
  type ListPaymentMethodsQuery,
  type PaymentMethodResponse,
  type UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { MAX_PAYMENT_METHODS, PaymentMethod } from './payment-method.entity.js';
import { listPaymentMethods } from './payment-methods.queries.js';
import { PaymentMethodsRepository } from './payment-methods.repository.js';

/** Payment methods of a user (see docs/api.md). */
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
    return toPaymentMethodResponse(method ?? paymentMethodNotFound());
  }

  /** @throws DomainError RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the limit */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethodResponse> {
    return this.database.transaction(user, async (scope) => {
      const stored = await this.repository.count(scope);
      const method = PaymentMethod.create(newPaymentMethodFields(dto));
      const existing = await this.repository.insertOrFindByName(scope, method);
      if (existing) throw nameConflict(existing); // 409
      assertWithinLimit('payment_method', { stored, limit: MAX_PAYMENT_METHODS }); // 409
      await this.activity.record(scope, [creationOf(method)]);
      return toPaymentMethodResponse(method);
    });
  }

  /** @throws ResourceNotFoundError, DomainError RESOURCE_CONFLICT when the new name exists */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdatePaymentMethodDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<PaymentMethodResponse> {
    return this.withNameConflict(user, dto.name, async (scope) => {
      const method = (await this.repository.lock(scope, id)) ?? paymentMethodNotFound(); // 404
      await precondition.assert(() => toPaymentMethodResponse(method)); // 412
      const before = method.copy();
      method.update(changedPaymentMethodFields(dto));
      await this.save(scope, { before, after: method }); // 409
      return toPaymentMethodResponse(method);
    });
  }

  /**
   * A soft deletion: it can still be read, and its name remains reserved.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string, precondition = NO_PRECONDITION): Promise<void> {
    await this.update(user, id, { active: false }, precondition);
  }

  /**
   * Takes back what a record of the activity log says of a payment method; one whose creation is undone is inactive.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since, or the name of before exists
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const method = (await this.repository.lock(scope, undo.entityId)) ?? recordNotFound(); // 404
    undo.assertPossible(method); // 409
    const before = method.copy();
    method.restore(undo.values);
    if (method.name !== before.name) await this.assertNewName(scope, method.name); // 409
    await this.save(scope, { before, after: method, undo }); // 409: the name, taken at the same time
  }

  /**
   * A payment method, active or not, locked against changes until the transaction ends.
   *
   * @throws ResourceNotFoundError
   */
  async lock(scope: Scope, id: string): Promise<PaymentMethod> {
    return (await this.repository.lock(scope, id, 'share')) ?? paymentMethodNotFound();
  }

  /**
   * The payment method that an update chooses, like {@link lock}; undefined if it chooses no other than the current.
   *
   * @param chosen the id in the body; undefined: not in the body
   */
  async lockIfOther(
    scope: Scope,
    current: string | null,
    chosen: string | undefined,
  ): Promise<PaymentMethod | undefined> {
    if (chosen === undefined || chosen === current) return undefined;
    return this.lock(scope, chosen);
  }

  /**
   * The payment methods that updates of several records choose, see {@link lockIfOther}, with one statement.
   *
   * @param choices null: the update removes the payment method
   * @throws ResourceNotFoundError with the index of the first choice that does not exist
   */
  async lockOthers(
    scope: Scope,
    choices: readonly { current: string | null; chosen: string | null | undefined }[],
  ): Promise<(PaymentMethod | undefined)[]> {
    const ids = choices.map(({ current, chosen }) => (chosen === current ? null : chosen) ?? null);
    const others = [...new Set(ids)].filter((id) => id !== null);
    if (others.length === 0) return [];
    const methods = await this.repository.lockAll(scope, others);
    const byId = new Map(methods.map((method) => [method.id, method]));
    return ids.map((id, index) => {
      const method = id === null ? undefined : byId.get(id);
      if (id !== null && !method) throw new ResourceNotFoundError('payment_method', { index });
      return method;
    });
  }

  /**
   * The active payment method that an update chooses, see {@link lockIfOther}.
   *
   * @throws ResourceNotFoundError, ValidationFailedError when it is inactive
   */
  async lockActiveIfOther(
    scope: Scope,
    current: string | null,
    chosen: string | undefined,
  ): Promise<PaymentMethod | undefined> {
    const method = await this.lockIfOther(scope, current, chosen);
    method?.assertActive();
    return method;
  }

  /**
   * The payment method that recorded values name, see {@link lockIfOther}; null: none.
   *
   * @throws ResourceNotFoundError
   */
  async lockRecorded(
    scope: Scope,
    current: string | null,
    { payment_method_id: recorded }: Snapshot,
  ): Promise<PaymentMethod | null | undefined> {
    if (recorded === null) return null;
    return this.lockIfOther(scope, current, recorded as string | undefined);
  }

  /** All payment methods, active or not, locked against changes until the transaction ends. */
  lockAll(scope: Scope): Promise<PaymentMethod[]> {
    return this.repository.lockAll(scope);
  }

  /** Stores a changed payment method that is locked; if nothing changed, nothing. */
  private async save(scope: Scope, change: Change<PaymentMethod>): Promise<void> {
    const record = changeOf(change);
    if (!record) return;
    await this.repository.update(scope, change.after);
    await this.activity.record(scope, [record]);
  }

  /** @throws DomainError RESOURCE_CONFLICT */
  private async assertNewName(scope: Scope, name: string): Promise<void> {
    const existing = await this.repository.find(scope, { name });
    if (existing) throw nameConflict(existing);
  }

  /** Adds the id and state of the existing payment method to the conflict of a new name, after the rollback. */
  private async withNameConflict(
    user: AuthenticatedUser,
    name: string | undefined,
    work: (scope: Scope) => Promise<PaymentMethodResponse>,
  ): Promise<PaymentMethodResponse> {
    try {
      return await this.database.transaction(user, work);
    } catch (error) {
      const isConflict = error instanceof DomainError && error.code === 'RESOURCE_CONFLICT';
      if (!isConflict || name === undefined) throw error;
      const existing = await this.database.read(user, (scope) =>
        this.repository.find(scope, { name }),
      );
      // Renamed or removed in the meantime, so that the name is available.
      if (!existing) return this.withNameConflict(user, name, work);
      throw nameConflict(existing);
    }
  }
}

const nameConflict = ({ id, active }: PaymentMethod): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'A payment method with this name already exists', {
    resource: 'payment_method',
    id,
    active,
  });

function paymentMethodNotFound(): never {
  throw new ResourceNotFoundError('payment_method');
}
