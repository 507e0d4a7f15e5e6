/** What would be different in a forecast: more entries, and other exchange rates. */
import { Big } from 'big.js';
import { ConversionError, convert } from '../exchange-rates/conversion.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { PaymentMethodReference } from '../payment-methods/dto/payment-method.dto.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { forEachWithPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { centsOf, formatMoney, type Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import { fieldsIn } from '../records/record-fields.js';
import { recurrenceOf } from '../templates/base-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import { occurrences } from '../templates/recurrence/recurrence.js';
import type {
  AddedEntryChange,
  AddedTemplateChange,
  ChangeDto,
  WhatIfExchangeRate,
} from './dto/change.dto.js';
import { counts, type ForecastQuery, type Plan, type PlannedEntry } from './plan.js';
import type { PlannedBudget } from './set-aside.js';

/** An entry that a change adds, before its conversion. */
export type AddedEntry = Omit<PlannedEntry, 'amount_usd'> & {
  /** Of its amount in the request. */
  path: string;
};

interface RateChange {
  from: CalendarDate;
  rate: Big;
  /** Of the rate in the request. */
  path: string;
}

const isRate = (change: ChangeDto): change is WhatIfExchangeRate => change.op === 'exchange_rate';

const isTemplate = (change: ChangeDto): change is AddedTemplateChange =>
  change.op === 'add_expense_template' || change.op === 'add_income_template';

/** The errors of dates that the forecast does not have. */
export function dateErrors(
  changes: readonly ChangeDto[],
  { today, to }: Pick<ForecastQuery, 'today' | 'to'>,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [index, change] of changes.entries()) {
    if (isTemplate(change)) continue;
    const [name, date] = isRate(change) ? ['from', change.from ?? today] : ['date', change.date];
    const path = `changes.${index}.${name}`;
    if (date < today) {
      errors[path] = [{ reason: 'out_of_order', message: `${path} must not be before today` }];
    } else if (date > to) {
      errors[path] = [{ reason: 'out_of_order', message: `${path} must not be after to` }];
    }
  }
  return errors;
}

/** The payment methods that changes name, each with the index of its change. */
export const namedMethods = (changes: readonly ChangeDto[]): { id: string; index: number }[] =>
  changes.flatMap((change, index) => {
    const id = isRate(change) ? null : (change.payment_method_id ?? null);
    return id === null ? [] : [{ id, index }];
  });

/** Whether entries are needed one by one: each of them is converted and rounded. */
export const hasRates = (changes: readonly ChangeDto[]): boolean => changes.some(isRate);

/**
 * What changes add and what of it counts, in their order.
 *
 * @param methods by id, all that the changes name
 * @param onFound is called with the number of entries of each change before they are made, and may
 *   throw
 */
export function addedEntries(
  changes: readonly ChangeDto[],
  query: ForecastQuery,
  methods: ReadonlyMap<string, PaymentMethodReference>,
  onFound: (count: number) => void,
): AddedEntry[] {
  const { today: start, to: end } = query;
  return changes
    .flatMap((change, index): AddedEntry[] => {
      if (isRate(change)) return [];
      const common = addedFields(change, methods.get(change.payment_method_id ?? ''));
      if (!isTemplate(change)) {
        onFound(1);
        const { date, amount } = change;
        const path = `changes.${index}.amount`;
        return [{ ...common, date, occurrence_date: null, amount: formatMoney(amount), path }];
      }
      const template = IncomeTemplate.create(fieldsIn(IncomeTemplate.fields, change), null);
      const found = occurrences(recurrenceOf(template), { start, end });
      onFound(found.length);
      const path = `changes.${index}.base_amount`;
      const amount = formatMoney(change.base_amount);
      return found.map(({ date, ruleDate }) => ({
        ...common,
        date,
        occurrence_date: ruleDate,
        amount,
        path,
      }));
    })
    .filter((entry) => counts(query, entry));
}

function addedFields(
  { op, description, currency }: AddedEntryChange | AddedTemplateChange,
  method: PaymentMethodReference | undefined,
): Omit<AddedEntry, 'date' | 'occurrence_date' | 'amount' | 'path'> {
  const isIncome = op === 'add_income' || op === 'add_income_template';
  return {
    entity_type: isIncome ? 'cycle_income' : 'cycle_expense',
    id: null,
    template_id: null,
    category: null,
    budget_id: null,
    budget_name: null,
    description,
    currency,
    payment_method_id: method?.id ?? null,
    method_name: method?.name ?? null,
    method_type: method?.method_type ?? null,
  };
}

/**
 * The plan with the added entries, and converted at other exchange rates. Other requests run
 * meanwhile.
 *
 * @throws ValidationFailedError for an amount that cannot be converted
 */
export async function changedPlan(
  plan: Plan,
  added: readonly AddedEntry[],
  changes: readonly ChangeDto[],
  { today, converter }: { today: CalendarDate; converter: UsdConverter },
): Promise<Plan> {
  const rates = rateChanges(changes, today);
  const rateOf = ({ currency, date }: Pick<PlannedEntry, 'currency' | 'date'>) =>
    currency === 'MXN'
      ? rates.find(({ from }) => from <= (date < today ? today : date))
      : undefined;
  const entries: PlannedEntry[] = [];
  await forEachWithPauses(plan.entries, (entry) => {
    const rate = rateOf(entry);
    entries.push(rate ? convertedAt(rate, entry) : entry);
  });
  await forEachWithPauses(added, ({ path, ...entry }) => {
    const rate = rateOf(entry);
    entries.push(rate ? convertedAt(rate, entry) : convertedBy(converter, entry, path));
  });
  const budgets: PlannedBudget[] = [];
  await forEachWithPauses(plan.budgets, (budget) => {
    budgets.push({ ...budget, left: budget.left + savedAt(rateOf, budget) });
  });
  return { ...plan, entries, budgets };
}

/** By how much the open expenses in pesos are cheaper at other rates. */
function savedAt(
  rateOf: (expense: Pick<PlannedEntry, 'currency' | 'date'>) => RateChange | undefined,
  { pesos }: PlannedBudget,
): Cents {
  return pesos.reduce((sum, { date, amount, amount_usd, count }) => {
    const rate = rateOf({ currency: 'MXN', date });
    if (!rate) return sum;
    const saved = centsOf(amount_usd) - centsOf(formatMoney(usdAt(rate, amount)));
    return sum + saved * BigInt(count);
  }, 0n);
}

/** The first one that has begun on a day applies. */
const rateChanges = (changes: readonly ChangeDto[], today: CalendarDate): RateChange[] =>
  changes
    .flatMap((change, index) =>
      isRate(change)
        ? [{ from: change.from ?? today, rate: change.rate, path: `changes.${index}.rate` }]
        : [],
    )
    .reverse()
    .sort((a, b) => compareText(b.from, a.from));

/** No stored rate converts the entry any more. */
function convertedAt(
  rateChange: RateChange,
  entry: Omit<PlannedEntry, 'amount_usd'>,
): PlannedEntry {
  const amountUsd = usdAt(rateChange, entry.amount);
  const { generated } = entry;
  return {
    ...entry,
    amount_usd: formatMoney(amountUsd),
    ...(generated && { generated: { ...generated, exchangeRate: null, exchangeRateDate: null } }),
  };
}

const usdAt = ({ rate, path }: RateChange, amount: string): Big =>
  atPath(path, () => convert(new Big(amount), { rate, isInverse: false }));

function convertedBy(
  converter: UsdConverter,
  entry: Omit<PlannedEntry, 'amount_usd'>,
  path: string,
): PlannedEntry {
  const amount = new Big(entry.amount);
  const { amountUsd } = atPath(path, () => converter.toUsd({ ...entry, amount }));
  return { ...entry, amount_usd: formatMoney(amountUsd) };
}

/** @throws ValidationFailedError for the path when the amount cannot be converted */
function atPath<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    const message = `${path}: ${error.message}`;
    throw new ValidationFailedError({ [path]: [{ reason: 'not_convertible', message }] });
  }
}
