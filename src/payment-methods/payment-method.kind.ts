import type { StoredKind } from '../records/record-kind.js';
import { PaymentMethodResponse } from './dto/payment-method.dto.js';
import { PaymentMethod } from './payment-method.entity.js';
import { PaymentMethodsService } from './payment-methods.service.js';

export const PAYMENT_METHOD_KIND: StoredKind<typeof PaymentMethod.type> = {
  type: PaymentMethod.type,
  entity: PaymentMethod,
  representation: PaymentMethodResponse,
  service: PaymentMethodsService,
};
