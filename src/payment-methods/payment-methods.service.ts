import { Injectable } from '@nestjs/common';
import { ActivityService, type ActivityEntry } from '../activity/activity.service.js';
import { changesOfCreation } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import {
  assertWithinLimit,
  DomainError,
  LimitReachedError,
  ResourceNotFoundError,
  ValidationFailedError,
} from '../platform/errors/domain-error.js';
import { Database, type Scope } from '../platform/database/database.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  paymentMethodSnapshot,
  toPaymentMethodResponse,
  type CreatePaymentMethodDto,
  type ListPaymentMethodsQuery,
  type UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { MAX_PAYMENT_METHODS, type PaymentMethod } from './payment-method.entity.js';
import { listPaymentMethods, type PaymentMethodRow } from './payment-methods.queries.js';
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
  list(user: AuthenticatedUser, query: ListPaymentMethodsQuery): Promise<PaymentMethodRow[]> {
    return listPaymentMethods(this.database.read(user), query);
  }

  /** The user's payment methods with these ids, in any order; other ids are ignored. */
  listByIds(user: AuthenticatedUser, ids: readonly string[]): Promise<PaymentMethod[]> {
    return this.repository.listByIds(this.database.read(user), ids);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<PaymentMethod> {
    const method = await this.repository.find(this.database.read(user), { id });
    return method ?? paymentMethodNotFound();
  }

  /** @throws DomainError RESOURCE_CONFLICT when the name exists, also on an inactive one, or at the limit */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethod> {
    return this.withNameConflict(user, dto.name, async (scope) => {
      const [stored, method] = await Promise.all([
        this.repository.count(scope),
        this.repository.insert(scope, {
          name: dto.name,
          methodType: dto.method_type,
          defaultCurrency: dto.default_currency,
          description: dto.description ?? null,
        }),
      ]);
      assertWithinLimit('payment_method', { stored, limit: MAX_PAYMENT_METHODS });
      await this.activity.record(scope, [creationOf(method)]);
      return method;
    });
  }

  /**
   * Adds complete payment methods, except for those whose id or name exists.
   *
   * @returns the ids of the added ones; if one is missing, the caller must roll back
   */
  async addAll(scope: Scope, methods: readonly PaymentMethod[]): Promise<Set<string>> {
    const added = await this.repository.insertIgnoringConflicts(scope.manager, methods);
    await this.activity.record(scope, methods.map(creationOf));
    return added;
  }

  /** @throws ResourceNotFoundError, DomainError RESOURCE_CONFLICT when the new name exists */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdatePaymentMethodDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<PaymentMethod> {
    return this.withNameConflict(user, dto.name, async (scope) => {
      const method = (await this.repository.lock(scope, { id })) ?? paymentMethodNotFound();
      await precondition.assert(() => toPaymentMethodResponse(method));
      const changed = {
        name: dto.name ?? method.name,
        methodType: dto.method_type ?? method.methodType,
        defaultCurrency: dto.default_currency ?? method.defaultCurrency,
        description: dto.description === undefined ? method.description : dto.description,
        active: dto.active ?? method.active,
      };
      const mutation = describeMutation({
        before: paymentMethodSnapshot(method),
        after: paymentMethodSnapshot({ ...method, ...changed }),
      });
      if (mutation) {
        await this.repository.update(scope, method, changed);
        await this.activity.record(scope, [
          { entityType: 'payment_method', entityId: id, ...mutation },
        ]);
      }
      return method;
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
   * An active payment method for a new reference, locked against changes until the transaction ends.
   *
   * @throws ResourceNotFoundError, ValidationFailedError when it is inactive
   */
  async getActive(scope: Scope, id: string): Promise<PaymentMethod> {
    const method = await this.getForUse(scope, id);
    assertActive(method);
    return method;
  }

  /**
   * A payment method, active or not, locked against changes until the transaction ends.
   *
   * @throws ResourceNotFoundError
   */
  async getForUse(scope: Scope, id: string): Promise<PaymentMethod> {
    return (await this.repository.lock(scope, { id }, 'share')) ?? paymentMethodNotFound();
  }

  /** All payment methods, active or not, locked against changes until the transaction ends. */
  listForUse(scope: Scope): Promise<PaymentMethod[]> {
    return this.repository.lockAll(scope);
  }

  /** Adds the id and state of the existing payment method to a name conflict, after the rollback. */
  private async withNameConflict(
    user: AuthenticatedUser,
    name: string | undefined,
    work: (scope: Scope) => Promise<PaymentMethod>,
  ): Promise<PaymentMethod> {
    try {
      return await this.database.transaction(user, work);
    } catch (error) {
      const isConflict = error instanceof DomainError && error.code === 'RESOURCE_CONFLICT';
      const isOther = !isConflict || error instanceof LimitReachedError;
      if (isOther || name === undefined) throw error;
      const existing = await this.repository.find(this.database.read(user), { name });
      // Renamed or removed in the meantime, so that the name is available.
      if (!existing) return this.withNameConflict(user, name, work);
      throw new DomainError('RESOURCE_CONFLICT', error.message, {
        resource: 'payment_method',
        id: existing.id,
        active: existing.active,
      });
    }
  }
}

const creationOf = (method: PaymentMethod): ActivityEntry => ({
  entityType: 'payment_method',
  entityId: method.id,
  action: 'created',
  changes: changesOfCreation(paymentMethodSnapshot(method)),
});

/** @throws ValidationFailedError when the payment method of a request is inactive */
export function assertActive({ active }: Pick<PaymentMethod, 'active'>): void {
  if (active) return;
  throw new ValidationFailedError({
    payment_method_id: [
      {
        reason: 'inactive',
        message: 'payment_method_id must be the id of an active payment method',
      },
    ],
  });
}

function paymentMethodNotFound(): never {
  throw new ResourceNotFoundError('payment_method');
}
