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
import type { Precondition } from '../platform/values/precondition.js';
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
    return toPaymentMethodResponse(method ?? paymentMethodNotFound());
  }

  /**
   * @throws DomainError RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the
   *   limit
   */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethodResponse> {
    return this.database.transaction(user, async (scope) => {
      const stored = await this.repository.count(scope);
      const method = PaymentMethod.create(newPaymentMethodFields(dto));
      const existing = await this.repository.insertOrFindByName(scope, method);
      if (existing) throw nameConflict(existing); // 409
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
      const { method, namesake } = await this.repository.lockToChange(scope, id, dto.name);
      if (!method) paymentMethodNotFound(); // 404
      await precondition.assert(() => toPaymentMethodResponse(method)); // 412
      const before = method.copy();
      method.update(changedPaymentMethodFields(dto));
      if (namesake) throw nameConflict(namesake); // 409
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
    const { method, namesake } = await this.repository.lockToChange(scope, entityId, name);
    if (!method) recordNotFound(); // 404
    undo.assertPossible(method); // 409
    const before = method.copy();
    method.restore(values);
    if (namesake) throw nameConflict(namesake); // 409
    this.save(scope, { before, after: method, undo });
  }

  /**
   * The payment method with an id, active or not, locked against changes until the transaction
   * ends.
   *
   * @param id null (no payment method) and undefined (as it is) are returned
   * @throws ResourceNotFoundError
   */
  async lock(scope: Scope, id: string): Promise<PaymentMethod>;
  async lock<None extends null | undefined>(
    scope: Scope,
    id: string | None,
  ): Promise<PaymentMethod | None>;
  async lock<None>(scope: Scope, id: string | None): Promise<PaymentMethod | None> {
    if (typeof id !== 'string') return id;
    return (await this.repository.lock(scope, id)) ?? paymentMethodNotFound();
  }

  /**
   * Payment methods like {@link lock}, with one statement.
   *
   * @param ids in the order of the result; by default all that the user has
   * @throws ResourceNotFoundError with the index of the first one that does not exist
   */
  async lockAll<None extends null | undefined = never>(
    scope: Scope,
    ids?: readonly (string | None)[],
  ): Promise<(PaymentMethod | None)[]> {
    if (!ids) return this.repository.lockAll(scope);
    const chosen = [...new Set(ids.filter((id) => typeof id === 'string'))];
    const methods = chosen.length === 0 ? [] : await this.repository.lockAll(scope, chosen);
    const byId = new Map(methods.map((method) => [method.id, method]));
    return ids.map((id, index) => {
      if (typeof id !== 'string') return id;
      const method = byId.get(id);
      if (!method) throw new ResourceNotFoundError('payment_method', { index });
      return method;
    });
  }

  /** Like {@link lock}, the payment method that recorded values name, if it is another one. */
  lockRecorded(
    scope: Scope,
    current: string | null,
    values: Snapshot,
  ): Promise<PaymentMethod | null | undefined> {
    return this.lock(scope, recordedChoice(current, values));
  }

  /** Like {@link lockRecorded} for several records, with one statement. */
  lockAllRecorded(
    scope: Scope,
    records: readonly { current: string | null; values: Snapshot }[],
  ): Promise<(PaymentMethod | null | undefined)[]> {
    const chosen = records.map(({ current, values }) => recordedChoice(current, values));
    return this.lockAll(scope, chosen);
  }

  /** Stores a changed payment method that is locked; if nothing changed, nothing. */
  private save(scope: Scope, change: Change<PaymentMethod>): void {
    const record = changeOf(change);
    if (!record) return;
    this.repository.update(scope, change.after);
    this.activity.record(scope, [record]);
  }
}

/** What an update chooses; undefined if it is the current payment method. */
export const otherThan = <Choice extends string | null | undefined>(
  current: string | null,
  chosen: Choice,
): Choice | undefined => (chosen === current ? undefined : chosen);

/** What recorded values choose, like {@link otherThan}. */
const recordedChoice = (
  current: string | null,
  { payment_method_id: recorded }: Snapshot,
): string | null | undefined => otherThan(current, recorded as string | null | undefined);

const nameConflict = ({ id, active }: PaymentMethod): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'A payment method with this name already exists', {
    resource: 'payment_method',
    id,
    active,
  });

function paymentMethodNotFound(): never {
  throw new ResourceNotFoundError('payment_method');
}
