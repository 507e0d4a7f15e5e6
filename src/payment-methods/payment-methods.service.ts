import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ActivityService } from '../activity/activity.service.js';
import { changesOfCreation } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import {
  DomainError,
  ResourceNotFoundError,
  ValidationFailedError,
} from '../common/errors/domain-error.js';
import { Database } from '../database/database.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type {
  CreatePaymentMethodDto,
  ListPaymentMethodsQuery,
  UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { paymentMethodSnapshot } from './payment-method-snapshot.js';
import type { PaymentMethod } from './payment-method.entity.js';
import { PaymentMethodsRepository, type PaymentMethodView } from './payment-methods.repository.js';

/** Payment methods of a user (see docs/api.md). */
@Injectable()
export class PaymentMethodsService {
  constructor(
    private readonly database: Database,
    private readonly repository: PaymentMethodsRepository,
    private readonly activity: ActivityService,
  ) {}

  /** Newest first; active and inactive ones unless the query says which. */
  list(user: AuthenticatedUser, query: ListPaymentMethodsQuery): Promise<PaymentMethodView[]> {
    return this.repository.list(this.database.manager, user.id, query);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<PaymentMethod> {
    const method = await this.repository.find(this.database.manager, user.id, { id });
    return method ?? notFound();
  }

  /** @throws DomainError RESOURCE_CONFLICT when the name is taken, by an inactive one too */
  create(user: AuthenticatedUser, dto: CreatePaymentMethodDto): Promise<PaymentMethod> {
    return this.claimingName(user, dto.name, async (manager) => {
      const method = await this.repository.insert(manager, user.id, {
        name: dto.name,
        methodType: dto.method_type,
        defaultCurrency: dto.default_currency,
        description: dto.description ?? null,
      });
      await this.activity.record(manager, user, [
        {
          entityType: 'payment_method',
          entityId: method.id,
          action: 'created',
          changes: changesOfCreation(paymentMethodSnapshot(method)),
        },
      ]);
      return method;
    });
  }

  /** @throws ResourceNotFoundError, DomainError RESOURCE_CONFLICT when the new name is taken */
  update(user: AuthenticatedUser, id: string, dto: UpdatePaymentMethodDto): Promise<PaymentMethod> {
    return this.claimingName(user, dto.name, async (manager) => {
      const method = (await this.repository.lock(manager, user.id, { id })) ?? notFound();
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
        await this.repository.update(manager, method, changed);
        await this.activity.record(manager, user, [
          { entityType: 'payment_method', entityId: id, ...mutation },
        ]);
      }
      return method;
    });
  }

  /** Soft: it stays readable, and its name taken. */
  async remove(user: AuthenticatedUser, id: string): Promise<void> {
    await this.update(user, id, { active: false });
  }

  /**
   * The payment method that a template or an expense is to use, kept as it is until the transaction
   * ends.
   *
   * @throws ResourceNotFoundError, ValidationFailedError when it is inactive
   */
  async choose(
    manager: EntityManager,
    user: AuthenticatedUser,
    id: string,
  ): Promise<PaymentMethod> {
    return chosen(await this.repository.lock(manager, user.id, { id }, 'share'));
  }

  /** A conflict tells which payment method has the name; it is looked up once the work is undone. */
  private async claimingName(
    user: AuthenticatedUser,
    name: string | undefined,
    work: (manager: EntityManager) => Promise<PaymentMethod>,
  ): Promise<PaymentMethod> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      const isConflict = error instanceof DomainError && error.code === 'RESOURCE_CONFLICT';
      if (!isConflict || name === undefined) throw error;
      const holder = await this.repository.find(this.database.manager, user.id, { name });
      // Given up meanwhile: the name is free.
      if (!holder) return this.claimingName(user, name, work);
      throw new DomainError(error.code, error.message, {
        ...error.details,
        id: holder.id,
        active: holder.active,
      });
    }
  }
}

/**
 * What was found for the `payment_method_id` of a body, where it may be used.
 *
 * @throws ResourceNotFoundError, ValidationFailedError when it is inactive
 */
export function chosen<Method extends { active: boolean }>(found: Method | null): Method {
  const method = found ?? notFound();
  if (!method.active) {
    throw new ValidationFailedError({
      payment_method_id: ['payment_method_id must be of an active payment method'],
    });
  }
  return method;
}

function notFound(): never {
  throw new ResourceNotFoundError('payment_method');
}
