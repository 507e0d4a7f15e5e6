/** Generators of request values: few different ones, so that conflicts are frequent. */
import fc from 'fast-check';
import type { Choice, CycleStatus, ExpenseStatus } from './model.js';

export const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

/** The index of an entity, mostly a new one, so that several mutations affect the same entity. */
export const anyNumber = fc.oneof(
  { weight: 3, arbitrary: fc.nat(2) },
  { weight: 2, arbitrary: fc.nat(99) },
);

/** An entity and the user who accesses it, mostly its owner. */
export const anyTarget = fc.record({
  number: anyNumber,
  as: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(9) },
  ),
});

/** Mostly an own entity of the user or household. */
export const anyChoice: fc.Arbitrary<Choice> = fc.record({
  number: anyNumber,
  isFromAll: fc.oneof(
    { weight: 8, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

export const anyCurrency = fc.constantFrom('USD', 'MXN');
export const anyCategory = fc.constantFrom('fixed', 'variable');
export const anyCycleStatus = fc.constantFrom<CycleStatus>('draft', 'active', 'completed');
export const anyExpenseStatus = fc.constantFrom<ExpenseStatus>(
  ...(['pending', 'paid', 'cancelled', 'overdue'] as const),
);

/** Amounts of requests. In MXN many convert to half a cent, and the smallest to 0.00. */
export const anyAmount = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom<(string | number)[]>(
      ...['100.00', '0.10', '20.50', '812.10', '33.33', '7.5', '.5', '999999999.99'],
      ...[1200, 49.95, 0.3],
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('0.01', '0.09') },
);

/** The names of budgets in the order of code points, which is not that of UTF-16. */
export const BUDGET_NAMES = ['Casa', 'Despensa', 'casa', 'Ñandú', '～', '🛒'];

/** An optional text, which null clears. */
export const anyNote = fc.constantFrom(null, 'Automatic', ' trimmed ', '¿Súper? 🛒');

export const textOf = (sent: string | null): string | null => sent?.trim() ?? null;

/** Any subset of the keys. */
export const partly = <Fields extends object>(fields: {
  [Key in keyof Fields]: fc.Arbitrary<Fields[Key]>;
}): fc.Arbitrary<Partial<Fields>> =>
  fc.record(fields, { requiredKeys: [] }) as unknown as fc.Arbitrary<Partial<Fields>>;
