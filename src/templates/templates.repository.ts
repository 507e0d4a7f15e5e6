import { Injectable } from '@nestjs/common';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { OwnedRepository } from '../database/owned-repository.js';
import { readRecords } from '../database/records.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from './template.entity.js';

export type TemplateWithPaymentMethod = Template & { paymentMethod: PaymentMethod };

@Injectable()
export class TemplatesRepository extends OwnedRepository<Template> {
  protected readonly entity = Template;

  /** Newest first. */
  listWithPaymentMethods(
    manager: EntityManager,
    owner: UserId,
    where: FindOptionsWhere<Template>,
  ): Promise<TemplateWithPaymentMethod[]> {
    return manager.find(Template, {
      where: { ...where, userId: owner },
      relations: { paymentMethod: true },
      order: { seq: 'DESC' },
    }) as Promise<TemplateWithPaymentMethod[]>;
  }

  async findWithPaymentMethod(
    manager: EntityManager,
    owner: UserId,
    id: string,
  ): Promise<TemplateWithPaymentMethod | undefined> {
    const [template] = await this.listWithPaymentMethods(manager, owner, { id });
    return template;
  }

  /** The templates that cycles are generated from, oldest first. */
  listActive(manager: EntityManager, owner: UserId): Promise<Template[]> {
    return readRecords(manager, Template, {
      where: { userId: owner, active: true },
      ordered: true,
    });
  }
}
