import type { FieldError } from '../platform/errors/field-reasons.js';
import type { PaymentMethod } from './payment-method.entity.js';

type NamedMethod = Pick<PaymentMethod, 'id' | 'name' | 'methodType' | 'active'>;

const AMBIGUOUS: FieldError = {
  reason: 'ambiguous',
  message: 'payment_method must have the exact name, because several differ only in case',
};
const NOT_FOUND: FieldError = {
  reason: 'not_found',
  message: 'payment_method must be the name of an active payment method',
};

/** Finds the payment methods of a user by name, as files name them. */
export class PaymentMethodNames {
  private readonly exact = new Map<string, NamedMethod>();
  /** By the name in lower case. */
  private readonly folded = new Map<string, NamedMethod[]>();

  constructor(methods: readonly NamedMethod[]) {
    for (const method of methods) {
      this.exact.set(method.name, method);
      const key = method.name.toLowerCase();
      this.folded.set(key, [...(this.folded.get(key) ?? []), method]);
    }
  }

  /**
   * The active payment method with exactly this name, or else the only active one with it in other case; an error
   * says why there is none.
   */
  find(name: string): NamedMethod | FieldError {
    const exact = this.exact.get(name);
    const similar = exact ? [exact] : (this.folded.get(name.toLowerCase()) ?? []);
    const active = similar.filter((method) => method.active);
    const [method] = active;
    if (active.length > 1) return AMBIGUOUS;
    return method ?? NOT_FOUND;
  }
}
