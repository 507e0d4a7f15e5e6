import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CurrencyCode } from '../common/enums.js';
import type { Instant } from '../common/instant.js';
import type { UserId } from '../common/user-id.js';
import { OwnedRepository } from '../database/owned-repository.js';
import { PaymentMethod, type PaymentMethodType } from './payment-method.entity.js';

/** A payment method as readers see it. */
export interface PaymentMethodView {
  id: string;
  name: string;
  method_type: PaymentMethodType;
  default_currency: CurrencyCode;
  description: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant;
}

export interface PaymentMethodFilter {
  active?: boolean;
  currency?: CurrencyCode;
}

/** $1 the owner, $2 and $3 the filter, null for all. */
const LIST = `
  SELECT id, name, method_type, default_currency, description, active, created_at, updated_at
  FROM payment_methods
  WHERE user_id = $1 AND ($2::boolean IS NULL OR active = $2)
    AND ($3::currency_code IS NULL OR default_currency = $3)
  ORDER BY seq DESC`;

@Injectable()
export class PaymentMethodsRepository extends OwnedRepository<PaymentMethod> {
  protected readonly entity = PaymentMethod;

  /** Newest first. */
  list(
    manager: EntityManager,
    owner: UserId,
    { active, currency }: PaymentMethodFilter,
  ): Promise<PaymentMethodView[]> {
    return manager.query(LIST, [owner, active ?? null, currency ?? null]);
  }
}
