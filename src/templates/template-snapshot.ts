import type { Snapshot } from '../activity/changes.js';
import { toTemplateResponse } from './dto/template.dto.js';
import type { TemplateWithPaymentMethod } from './templates.repository.js';

/** As the activity log sees it: the representation, with the payment method's id in its place. */
export function templateSnapshot(template: TemplateWithPaymentMethod): Snapshot {
  const { payment_method, recurrence_config, ...fields } = toTemplateResponse(template);
  return {
    ...fields,
    recurrence_config: { ...recurrence_config },
    payment_method_id: payment_method.id,
  };
}
