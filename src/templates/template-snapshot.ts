import type { JsonValue, Snapshot } from '../activity/changes.js';
import type { PaymentMethodReference } from '../payment-methods/dto/payment-method.dto.js';
import { toTemplateResponse } from './dto/template.dto.js';
import type { RecurrenceConfig } from './recurrence/recurrence.js';
import type { WithPaymentMethod } from './recurrent-templates.repository.js';
import type { Template } from './template.entity.js';

/** The state that the activity log records: the representation, with the id of the payment method only. */
export function snapshotOf(response: {
  payment_method: PaymentMethodReference | null;
  recurrence_config: RecurrenceConfig;
}): Snapshot {
  const { payment_method, recurrence_config, ...fields } = response;
  return {
    ...(fields as Record<string, JsonValue>),
    recurrence_config: { ...recurrence_config },
    payment_method_id: payment_method?.id ?? null,
  };
}

export const templateSnapshot = (template: WithPaymentMethod<Template>): Snapshot =>
  snapshotOf(toTemplateResponse(template));
