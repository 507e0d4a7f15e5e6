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

/**
 * Finds the payment methods of a user by name, as files name them, whatever the Unicode form of the
 * stored name.
 */
export class PaymentMethodNames {
  /** By the name as stored, and in NFC where no other one has that name. */
  private readonly exact = new Map<string, NamedMethod>();
  /** By the name in NFC and lower case. */
  private readonly folded = new Map<string, NamedMethod[]>();

  constructor(methods: readonly NamedMethod[]) {
    for (const method of methods) {
      this.exact.set(method.name.normalize('NFC'), method);
      const key = fold(method.name);
      this.folded.set(key, [...(this.folded.get(key) ?? []), method]);
    }
    for (const method of methods) this.exact.set(method.name, method);
  }

  /**
   * The active payment method with exactly this name, or else the only active one with it in other
   * case; an error says why there is none.
   *
   * @param name in NFC
   */
  find(name: string): NamedMethod | FieldError {
    const exact = this.exact.get(name);
    const similar = exact ? [exact] : (this.folded.get(fold(name)) ?? []);
    const active = similar.filter((method) => method.active);
    const [method] = active;
    if (active.length > 1) return AMBIGUOUS;
    return method ?? NOT_FOUND;
  }
}

const fold = (name: string): string => name.toLowerCase().normalize('NFC');
