import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserId } from '../common/user-id.js';
import { OwnedRepository } from '../database/owned-repository.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Template } from './template.entity.js';

export type TemplateWithPaymentMethod = Template & { paymentMethod: PaymentMethod };

@Injectable()
export class TemplatesRepository extends OwnedRepository<Template, TemplateWithPaymentMethod> {
  protected readonly entity = Template;
  protected override readonly relations = { paymentMethod: true };

  /** The templates that cycles are generated from. */
  listActive(manager: EntityManager, owner: UserId): Promise<Template[]> {
    return manager.find(Template, {
      where: { userId: owner, active: true },
      order: { seq: 'ASC' },
    });
  }
}
