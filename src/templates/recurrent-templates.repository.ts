import type { Scope } from '../platform/database/database.js';
import type { EntityTarget, FindManyOptions, FindOptionsWhere } from 'typeorm';
import { OwnedRepository } from '../platform/database/repositories.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import type { RecurrentTemplate } from './recurrent-template.entity.js';

/** A template with its loaded payment method; null: not specified. */
export type WithPaymentMethod<Template extends RecurrentTemplate> = Template & {
  paymentMethod: PaymentMethod | null;
};

/** The templates of one kind. */
export class RecurrentTemplatesRepository<
  Template extends RecurrentTemplate,
> extends OwnedRepository<Template> {
  constructor(protected readonly entity: EntityTarget<Template>) {
    super();
  }

  /** Newest first. */
  listWithPaymentMethods(
    { manager, userId, householdId }: Scope,
    where: FindOptionsWhere<Template>,
  ): Promise<WithPaymentMethod<Template>[]> {
    return manager.find(this.entity, {
      where: { ...where, userId, householdId },
      relations: { paymentMethod: true },
      order: { seq: 'DESC' },
    } as FindManyOptions<Template>) as Promise<WithPaymentMethod<Template>[]>;
  }

  async findWithPaymentMethod(
    scope: Scope,
    where: FindOptionsWhere<Template>,
  ): Promise<WithPaymentMethod<Template> | undefined> {
    const [template] = await this.listWithPaymentMethods(scope, where);
    return template;
  }
}
