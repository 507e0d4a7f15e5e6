/** Random templates for tests of cycles that start on 2026-01-19. */
import fc from 'fast-check';
import { money } from '../model/cents.js';
import type { Client } from '../support/client.js';
import { dayAt, dayNumber } from '../support/due-days.js';
import type { Service } from '../support/service.js';

export const anyDate = fc.integer({ min: -20, max: 60 }).map((day) => dateAfter('2026-01-19', day));

export const dateAfter = (date: string, days: number): string => dayAt(dayNumber(date) + days).date;

export const anyRule = fc.oneof(
  fc.record({
    recurrence_type: fc.constant('weekly'),
    recurrence_config: fc.record({ day_of_week: fc.integer({ min: 0, max: 6 }) }),
  }),
  fc.record({
    recurrence_type: fc.constant('bi_weekly'),
    recurrence_config: fc.record({ interval_days: fc.integer({ min: 1, max: 30 }) }),
  }),
  fc.record({
    recurrence_type: fc.constant('monthly'),
    recurrence_config: fc.record({
      day_of_month: fc.integer({ min: 1, max: 31 }),
      handle_month_end: fc.boolean(),
    }),
  }),
  fc.record({
    recurrence_type: fc.constant('custom'),
    recurrence_config: fc.record({
      interval: fc.integer({ min: 1, max: 9 }),
      unit: fc.constantFrom('days', 'weeks', 'months'),
    }),
  }),
);

const anyAmount = fc.integer({ min: 100, max: 5_000_000 }).map((value) => money(BigInt(value)));

/** Amounts of a template from dates on, by date. */
export const anyAmountChanges = fc
  .uniqueArray(fc.record({ from: anyDate, amount: anyAmount }), {
    selector: ({ from }) => from,
    maxLength: 3,
  })
  .map((changes) => changes.toSorted((a, b) => (a.from < b.from ? -1 : 1)));

/** Many, because a skipped date that is none does nothing. */
export const anySkippedDates = fc
  .uniqueArray(anyDate, { maxLength: 25 })
  .map((dates) => dates.toSorted());

/** How many days after the start, or after the first day of the cycle, a template ends. */
const anyEnd = fc.option(
  fc.record({
    days: fc.integer({ min: 0, max: 120 }),
    last_amount: fc.option(anyAmount, { nil: null, freq: 2 }),
  }),
  { nil: null, freq: 2 },
);

/** The start and the end of a template, and its last amount. */
export const anyLimits = fc
  .record({ starts_on: fc.option(anyDate, { nil: null, freq: 4 }), end: anyEnd })
  .map(({ starts_on, end }) => ({
    starts_on,
    ends_on: end && dateAfter(starts_on ?? '2026-01-19', end.days),
    last_amount: end?.last_amount ?? null,
  }));

export const anyTemplate = fc
  .record({
    kind: fc.constantFrom('expense', 'expense', 'income'),
    rule: anyRule,
    fields: fc.record({
      description: fc.constantFrom('Rent', 'Luz', 'Súper', 'Pay'),
      currency: fc.constantFrom('USD', 'MXN'),
      base_amount: anyAmount,
      amount_changes: anyAmountChanges,
      skipped_dates: anySkippedDates,
      reference_date: anyDate,
      weekend_rule: fc.constantFrom('keep', 'before', 'after'),
    }),
    limits: anyLimits,
    category: fc.constantFrom('fixed', 'variable'),
  })
  .map(({ rule, fields, limits, ...template }) => ({
    ...template,
    fields: { ...fields, ...rule, ...limits },
  }));

export type RandomTemplate = typeof anyTemplate extends fc.Arbitrary<infer Value> ? Value : never;

/** Creates the templates and returns their paths. */
export async function createTemplates(
  user: Client,
  templates: readonly RandomTemplate[],
): Promise<string[]> {
  const { id: payment_method_id } = await user.createPaymentMethod();
  const paths: string[] = [];
  for (const { kind, fields, category } of templates) {
    if (kind === 'expense') {
      const { id } = await user.createTemplate({ ...fields, category, payment_method_id });
      paths.push(`/expense-templates/${id}`);
    } else {
      const { id } = await user.createIncomeTemplate({ ...fields, payment_method_id });
      paths.push(`/income-templates/${id}`);
    }
  }
  return paths;
}

/** Stores a rate for the conversion of MXN to USD. */
export async function storeRate(service: Service, rate: number, date: string): Promise<void> {
  await service.query(
    `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
     VALUES ('MXN', 'USD', $1, $2)`,
    [rate, date],
  );
}

export interface Stored {
  id: string;
  created_at: string;
  updated_at: string;
}

/** Removes the fields that only stored records have. */
export const planned = ({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...fields
}: Stored): object => fields;

/** Undoes the derived status: a stored pending expense of the past is shown as overdue. */
export const asPending = (expense: object): object =>
  'status' in expense && expense.status === 'overdue' ? { ...expense, status: 'pending' } : expense;
