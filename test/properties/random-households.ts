/** Random households and queries for tests of the forecast. */
import fc from 'fast-check';
import { money } from '../model/cents.js';
import { without } from '../model/views.js';
import type { ForecastParameters } from '../support/forecast-model.js';
import { plusDays } from '../support/forecast-periods.js';
import type { Change } from '../support/forecast-plan.js';
import type { Household } from '../support/stored-household.js';
import { anyRule } from './random-plans.js';

const TODAYS = ['2026-01-20', '2026-02-15', '2026-03-31', '2026-04-20'] as const;

const anyAmount = fc.integer({ min: 100, max: 300_000 }).map((value) => money(BigInt(value)));
const anyCurrency = fc.constantFrom<'USD' | 'MXN'>('USD', 'MXN');
const anyDescription = fc.constantFrom('Rent', 'Luz', 'Súper', 'Pay');
/** Days from today. */
const anyDistance = fc.integer({ min: -60, max: 130 });
const anyMethod = fc.nat({ max: 2 });
/** Above the last one: none. */
const anyBudgetIndex = fc.nat({ max: 3 });
const MAX_BUDGETS = 3;
/** Small enough to be exceeded. */
const anyLimit = fc.option(
  fc.integer({ min: 1, max: 500_000 }).map((value) => money(BigInt(value))),
  { nil: null, freq: 3 },
);

const yearly = {
  recurrence_type: 'custom',
  recurrence_config: { interval: 1, unit: 'years', month_of_year: 3, day_of_month: 31 },
};

const anyTemplateFields = fc.record({
  description: anyDescription,
  currency: anyCurrency,
  base_amount: anyAmount,
  changes: fc.array(fc.record({ distance: anyDistance, amount: anyAmount }), { maxLength: 2 }),
  skipped: fc.array(anyDistance, { maxLength: 20 }),
  reference: anyDistance,
  startsAfter: fc.option(anyDistance, { nil: null, freq: 4 }),
  end: fc.option(
    fc.record({
      days: fc.integer({ min: 0, max: 150 }),
      last_amount: fc.option(anyAmount, { nil: null, freq: 2 }),
    }),
    { nil: null, freq: 2 },
  ),
  weekend_rule: fc.constantFrom('keep', 'before', 'after'),
  rule: fc.oneof({ arbitrary: anyRule, weight: 6 }, fc.constant(yearly)),
  method: anyMethod,
  budget: anyBudgetIndex,
});

const anyTemplate = fc.record({
  kind: fc.constantFrom('expense', 'expense', 'income'),
  fields: anyTemplateFields,
  /** The weekend rule once the cycles have their entries; null: the same. */
  laterRule: fc.constantFrom(null, null, 'keep', 'before', 'after'),
  isActive: fc.constantFrom(true, true, true, false),
});

/** A span of days, or a month or a half of one, that begins so many months from today. */
const anyPeriod = fc.oneof(
  fc.record({
    kind: fc.constant('days' as const),
    start: fc.integer({ min: -70, max: 110 }),
    length: fc.oneof(fc.integer({ min: 1, max: 45 }), fc.constantFrom(13, 27, 29)),
  }),
  fc.record({
    kind: fc.constantFrom('month', 'first half', 'second half'),
    months: fc.integer({ min: -2, max: 3 }),
  }),
);

const anyCycle = fc.record({
  period: anyPeriod,
  name: fc.constantFrom(null, null, 'proposed'),
  created: fc.record({
    income_amount: fc.constantFrom('0.00', '2500.00', '123.45'),
    generate_from_templates: fc.constantFrom(true, true, false),
    side: fc.constantFrom(false, false, false, true),
  }),
  /** By how many days it ends earlier once it has its entries. */
  shortenedBy: fc.constantFrom(0, 0, 7, 30),
  /** By budget; undefined: as the cycle has taken them. */
  limits: fc.option(fc.array(anyLimit, { maxLength: MAX_BUDGETS }), { nil: undefined, freq: 2 }),
  state: fc.constantFrom('draft', 'draft', 'active', 'completed', 'deleted'),
});

const anyEntry = fc.record({
  kind: fc.constantFrom('expense', 'expense', 'income'),
  cycle: fc.nat({ max: 9 }),
  description: anyDescription,
  currency: anyCurrency,
  amount: anyAmount,
  distance: anyDistance,
  category: fc.constantFrom('fixed', 'variable'),
  method: anyMethod,
  budget: anyBudgetIndex,
});

const anyBudget = fc.record({
  // The order of code points is not that of UTF-16.
  name: fc.constantFrom('Casa', 'casa', 'Súper', 'Supermercado', '～', '🛒'),
  currency: anyCurrency,
  limit: anyLimit,
  isActive: fc.constantFrom(true, true, true, false),
});

export const anyHousehold = fc.record({
  today: fc.constantFrom(...TODAYS),
  budgets: fc.uniqueArray(anyBudget, { maxLength: MAX_BUDGETS, selector: ({ name }) => name }),
  templates: fc.array(anyTemplate, { maxLength: 5 }),
  cycles: fc.array(anyCycle, { maxLength: 5 }),
  entries: fc.array(anyEntry, { maxLength: 6 }),
  /** What happens to each entry in turn, generated ones included. */
  changes: fc.array(
    fc.constantFrom('none', 'none', 'none', 'settled', 'cancelled', 'edited', 'deleted'),
    { minLength: 1, maxLength: 9 },
  ),
  isMethodActive: fc.boolean(),
});

export type RandomHousehold = typeof anyHousehold extends fc.Arbitrary<infer Value> ? Value : never;

export const anyAddition = fc.record({
  op: fc.constantFrom('add_expense' as const, 'add_income' as const),
  description: anyDescription,
  currency: anyCurrency,
  amount: anyAmount,
  distance: fc.nat(),
  method: anyMethod,
});

const anyAddedTemplate = fc.record({
  op: fc.constantFrom('add_expense_template' as const, 'add_income_template' as const),
  fields: anyTemplateFields,
});

const anyRate = fc.record({
  op: fc.constant('exchange_rate' as const),
  rate: fc.constantFrom('0.06', '0.123456', '2'),
  distance: fc.option(fc.nat(), { nil: undefined }),
});

const anySkip = fc.record({
  op: fc.constant('skip_template' as const),
  template: fc.nat(),
  begin: anyDistance,
  days: fc.integer({ min: 0, max: 300 }),
});

const anyAmountChange = fc.record({
  op: fc.constant('change_template' as const),
  template: fc.nat(),
  begin: anyDistance,
  amount: anyAmount,
});

export const anyQuery = fc.record({
  length: fc.option(fc.integer({ min: 0, max: 130 }), { nil: undefined, freq: 8 }),
  /** From the last day to the last one that counts for what is free. */
  freeLength: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 2 }),
  currency: fc.constantFrom(undefined, undefined, 'USD' as const, 'MXN' as const),
  method: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 2 }),
  opening_balance: fc.constantFrom(undefined, undefined, '-150.5', '1000.00'),
  minimum_balance: fc.constantFrom(undefined, undefined, '99.99'),
  include: fc.subarray(['days', 'entries'] as const),
  set_aside: fc.constantFrom(undefined, 'none' as const, 'budgets' as const, 'budgets' as const),
  changes: fc.array(
    fc.oneof(anyAddition, anyAddedTemplate, anyRate, anySkip, anyAmountChange, anyAmountChange),
    { maxLength: 5 },
  ),
});

type RandomQuery = typeof anyQuery extends fc.Arbitrary<infer Value> ? Value : never;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** The parameters and changes of a random query in a household. */
export function requestOf(
  { today, methods, templates, entries }: Household,
  { length, freeLength, method, changes, include, ...others }: RandomQuery,
): { parameters: ForecastParameters; changes: Change[] } {
  const days = length ?? 180;
  const lastDistance = freeLength === undefined ? Math.max(days, 180) : days + freeLength;
  const parameters: ForecastParameters = { ...others };
  if (length !== undefined) parameters.to = plusDays(today, length);
  if (freeLength !== undefined) parameters.free_until = plusDays(today, days + freeLength);
  if (method !== undefined) parameters.payment_method_id = methods[method]?.id ?? UNKNOWN_ID;
  if (include.length > 0) parameters.include = include;
  // Those of entries may be inactive.
  const ids = [...templates.map(({ id }) => id), ...entries.map((entry) => entry.template_id)];
  const templateIds = [...new Set(ids)].filter((id) => id !== null);
  return {
    parameters: JSON.parse(JSON.stringify(parameters)) as ForecastParameters,
    changes: changes.flatMap((change): Change | Change[] => {
      if ('template' in change) {
        const template_id = templateIds[change.template % templateIds.length];
        if (template_id === undefined) return [];
        const begin = Math.min(change.begin, lastDistance);
        const from = plusDays(today, begin);
        return change.op === 'skip_template'
          ? { op: change.op, template_id, from, to: plusDays(from, change.days) }
          : { op: change.op, template_id, from, amount: change.amount };
      }
      if ('fields' in change) {
        // An added template has no budget.
        const body = without(templateBody(today, change.fields), 'budget');
        const { method: index, ...fields } = body;
        const payment_method_id = methods[index]?.id ?? null;
        return { op: change.op, ...fields, payment_method_id };
      }
      const { distance, ...fields } = change;
      const date =
        distance === undefined ? undefined : plusDays(today, distance % (lastDistance + 1));
      if (fields.op === 'exchange_rate') {
        return date === undefined ? fields : { ...fields, from: date };
      }
      const { method: index, ...entry } = fields;
      const payment_method_id = methods[index]?.id ?? null;
      return { ...entry, date: date ?? today, payment_method_id };
    }),
  };
}

interface TemplateBody {
  description: string;
  currency: 'USD' | 'MXN';
  base_amount: string;
  amount_changes: { from: string; amount: string }[];
  last_amount: string | null;
  skipped_dates: string[];
  recurrence_type: string;
  recurrence_config: object;
  reference_date: string;
  starts_on: string | null;
  ends_on: string | null;
  weekend_rule: string;
  method: number;
  budget: number;
}

/** The fields of a random template as a request has them; its method and budget by index. */
export function templateBody(
  today: string,
  {
    reference,
    startsAfter,
    end,
    changes,
    skipped,
    rule,
    ...fields
  }: typeof anyTemplateFields extends fc.Arbitrary<infer Value> ? Value : never,
): TemplateBody {
  const amounts = new Map(changes.map(({ distance, amount }) => [distance, amount]));
  const inOrder = (distances: readonly number[]): number[] =>
    [...new Set(distances)].sort((a, b) => a - b);
  return {
    ...fields,
    ...rule,
    amount_changes: inOrder([...amounts.keys()]).map((distance) => ({
      from: plusDays(today, distance),
      amount: amounts.get(distance) ?? '',
    })),
    skipped_dates: inOrder(skipped).map((distance) => plusDays(today, distance)),
    reference_date: plusDays(today, reference),
    starts_on: startsAfter === null ? null : plusDays(today, startsAfter),
    ends_on: end && plusDays(today, (startsAfter ?? 0) + end.days),
    last_amount: end?.last_amount ?? null,
  };
}

export function daysOf(
  today: string,
  period: RandomHousehold['cycles'][number]['period'],
): { start_date: string; end_date: string } {
  if (period.kind === 'days') {
    const start_date = plusDays(today, period.start);
    return { start_date, end_date: plusDays(start_date, period.length) };
  }
  const [year, month] = today.split('-').map(Number);
  const dateOf = (months: number, day: number): string =>
    new Date(Date.UTC(year ?? 0, (month ?? 0) - 1 + months, day)).toISOString().slice(0, 10);
  const isSecond = period.kind === 'second half';
  return {
    start_date: dateOf(period.months, isSecond ? 16 : 1),
    end_date:
      period.kind === 'first half' ? dateOf(period.months, 15) : dateOf(period.months + 1, 0),
  };
}
