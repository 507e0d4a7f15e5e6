/**
 * What would be different in a forecast: more entries, other exchange rates, and other occurrences
 * of templates.
 */
import type { Big } from 'big.js';
import { convert, exchange } from '../exchange-rates/conversion.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { UsedPaymentMethod } from '../payment-methods/payment-method.entity.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { forEachWithPauses } from '../platform/process/pauses.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { centsOf, moneyOf, type Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import { fieldsIn } from '../records/record-fields.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import { templateOccurrences, type TemplateOccurrence } from '../templates/template-occurrences.js';
import { atPath } from './at-path.js';
import { roleOf, statementEntries, type ToUsd } from './card-statements.js';
import {
  MAX_TEMPLATE_CHANGE_DAYS_AGO,
  type AddedTemplateChange,
  type AdditionDto,
  type ChangeDto,
} from './dto/change.dto.js';
import type { Plan } from './plan.js';
import {
  assertNewEntries,
  plannedEntry,
  type PlannedEntry,
  type PlannedEntryFields,
} from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import type { PlannedBudget } from './set-aside.js';
import { NO_TEMPLATE_CHANGES, templateChanges, type TemplateChanges } from './template-changes.js';

/** An entry that a change adds, before its conversion. */
export interface AddedEntry extends Omit<PlannedEntryFields, 'amountUsd'> {
  paymentMethod: UsedPaymentMethod | null;
  /** The path of its amount in the request. */
  path: string;
}

interface RateChange {
  from: CalendarDate;
  rate: Big;
  /** The path of the rate in the request. */
  path: string;
}

/** What changes make of a plan. */
export interface PlanChanges {
  /** The entries that they add, in their order, whether or not they are in the forecast. */
  added: readonly AddedEntry[];
  /** Other exchange rates, the latest first: the first one that has begun on a day applies. */
  rates: readonly RateChange[];
  templates: TemplateChanges;
}

export const NO_CHANGES: PlanChanges = { added: [], rates: [], templates: NO_TEMPLATE_CHANGES };

const isTemplate = (change: AdditionDto): change is AddedTemplateChange =>
  change.op === 'add_expense_template' || change.op === 'add_income_template';

const isAddition = (change: ChangeDto): change is AdditionDto => change.op.startsWith('add_');

/** The date of a change that the forecast must have, and the first one that may be given. */
function datedBy(
  change: ChangeDto,
  today: CalendarDate,
): { name: 'date' | 'from'; date: CalendarDate; first: CalendarDate } | undefined {
  switch (change.op) {
    case 'add_expense':
    case 'add_income':
      return { name: 'date', date: change.date, first: today };
    case 'exchange_rate':
      return { name: 'from', date: change.from ?? today, first: today };
    case 'skip_template':
    case 'change_template': {
      const first = addDays(today, -MAX_TEMPLATE_CHANGE_DAYS_AGO);
      return { name: 'from', date: change.from, first };
    }
    case 'add_expense_template':
    case 'add_income_template':
      return undefined;
  }
}

/** @throws ValidationFailedError for dates that the forecast does not have */
export function assertDates(
  changes: readonly ChangeDto[],
  { today, freeUntil }: Pick<ForecastQuery, 'today' | 'freeUntil'>,
): void {
  const errors: FieldErrors = {};
  for (const [index, change] of changes.entries()) {
    const dated = datedBy(change, today);
    if (!dated) continue;
    const { name, date, first } = dated;
    const path = `changes.${index}.${name}`;
    if (date < first) {
      const earliest = first === today ? 'today' : first;
      const message = `${path} must not be before ${earliest}`;
      errors[path] = [{ reason: 'out_of_order', message }];
    } else if (date > freeUntil) {
      errors[path] = [{ reason: 'out_of_order', message: `${path} must not be after free_until` }];
    }
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
}

/** A record that a change names, with the index of the change. */
export interface NamedRecord {
  resource: 'payment_method' | 'template';
  id: string;
  index: number;
}

/** The records that changes name, in the order of the changes. */
export const namedRecords = (changes: readonly ChangeDto[]): NamedRecord[] =>
  changes.flatMap((change, index): NamedRecord[] => {
    if ('template_id' in change) return [{ resource: 'template', id: change.template_id, index }];
    const id = isAddition(change) ? (change.payment_method_id ?? null) : null;
    return id === null ? [] : [{ resource: 'payment_method', id, index }];
  });

/** The records that changes name, by their ids. */
export interface NamedRecords {
  methods: ReadonlyMap<string, UsedPaymentMethod>;
  /** The currencies of templates. */
  templates: ReadonlyMap<string, CurrencyCode>;
}

/**
 * What changes make of a plan.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when they add too many entries
 */
export const toPlanChanges = (
  changes: readonly ChangeDto[],
  query: ForecastQuery,
  { methods, templates }: NamedRecords,
): PlanChanges => ({
  added: addedEntries(changes, query, methods),
  rates: rateChanges(changes, query),
  templates: templateChanges(changes, templates),
});

function addedEntries(
  changes: readonly ChangeDto[],
  query: ForecastQuery,
  methods: ReadonlyMap<string, UsedPaymentMethod>,
): AddedEntry[] {
  const added: AddedEntry[] = [];
  for (const [index, change] of changes.entries()) {
    if (!isAddition(change)) continue;
    const { op, description, currency } = change;
    const isIncome = op === 'add_income' || op === 'add_income_template';
    const fields = {
      type: isIncome ? 'cycle_income' : 'cycle_expense',
      description,
      currency,
      paymentMethod: methods.get(change.payment_method_id ?? '') ?? null,
      path: `changes.${index}.${isTemplate(change) ? 'base_amount' : 'amount'}`,
    } as const;
    const found = isTemplate(change)
      ? occurrencesOf(change, query)
      : [{ date: change.date, ruleDate: null, amount: change.amount, instalment: null }];
    for (const { date, ruleDate, amount, instalment } of found) {
      const dates = { date, occurrenceDate: ruleDate, instalment };
      added.push({ ...fields, ...dates, amount: centsOf(amount) });
    }
    assertNewEntries(added.length);
  }
  return added;
}

function occurrencesOf(
  change: AddedTemplateChange,
  { today, freeUntil }: ForecastQuery,
): TemplateOccurrence[] {
  const template = IncomeTemplate.create(fieldsIn(IncomeTemplate.fields, change), {
    method: null,
    budget: null,
  });
  return templateOccurrences(template, { start: today, end: freeUntil });
}

const rateChanges = (
  changes: readonly ChangeDto[],
  { today }: Pick<ForecastQuery, 'today'>,
): RateChange[] =>
  changes
    .flatMap((change, index) =>
      change.op === 'exchange_rate'
        ? [{ from: change.from ?? today, rate: change.rate, path: `changes.${index}.rate` }]
        : [],
    )
    .reverse()
    .sort((a, b) => compareText(b.from, a.from));

type RateOf = (entry: Pick<PlannedEntry, 'currency' | 'date'>) => RateChange | undefined;

/**
 * The plan with the added entries, and converted at other exchange rates. Other requests run
 * meanwhile.
 *
 * @throws ValidationFailedError for an amount that cannot be converted
 */
export async function changedPlan(
  plan: Plan,
  { added, rates }: Pick<PlanChanges, 'added' | 'rates'>,
  query: ForecastQuery,
  converter: UsdConverter,
): Promise<Plan> {
  const { today } = query;
  const { cards } = plan;
  const rateOf: RateOf = ({ currency, date }) =>
    currency === 'MXN'
      ? rates.find(({ from }) => from <= (date < today ? today : date))
      : undefined;
  const entries: PlannedEntry[] = [];
  const purchases = [...plan.purchases];
  await forEachWithPauses(plan.entries, (entry) => {
    if (entry.type === 'card_statement') return;
    const rate = rateOf(entry);
    entries.push(rate ? convertedAt(rate, entry) : entry);
  });
  await forEachWithPauses(added, ({ path, ...fields }) => {
    const role = roleOf(fields, query, cards);
    if (role === null) return;
    const rate = role === 'entry' ? rateOf(fields) : undefined;
    const amountUsd = rate
      ? usdAt(rate, fields.amount)
      : atPath(path, () => usdBy(converter, fields));
    (role === 'entry' ? entries : purchases).push(plannedEntry({ ...fields, amountUsd }));
  });
  const toUsd: ToUsd = (due) => {
    const rate = rateOf(due);
    return centsOf(
      rate
        ? exchange(due.amount, { rate: rate.rate, isInverse: false })
        : converter.exchange({ ...due, date: today }, 'USD'),
    );
  };
  entries.push(...(await statementEntries(cards, purchases, query, { toUsd, converter })));
  const budgets: PlannedBudget[] = [];
  await forEachWithPauses(plan.budgets, (budget) => {
    budgets.push(budgetAtRates(budget, query, rateOf));
  });
  return { ...plan, entries, purchases, budgets };
}

/** What is left at other rates: of pesos at that of the first day on which something counts. */
function budgetAtRates(
  budget: PlannedBudget,
  { today }: ForecastQuery,
  rateOf: RateOf,
): PlannedBudget {
  const { currency, cycle, left, pesos } = budget;
  if (currency === 'MXN') {
    const rate = rateOf({ currency, date: cycle.startDate < today ? today : cycle.startDate });
    if (!rate) return budget;
    const exchanged = exchange(moneyOf(left), { rate: rate.rate, isInverse: false });
    return { ...budget, leftUsd: centsOf(exchanged) };
  }
  // How much less the open expenses in pesos cost.
  const saved = pesos.reduce((sum, { date, amount, amountUsd, count }) => {
    const rate = rateOf({ currency: 'MXN', date });
    return rate ? sum + (amountUsd - usdAt(rate, amount)) * BigInt(count) : sum;
  }, 0n);
  return { ...budget, left: left + saved, leftUsd: left + saved };
}

/** The entry at another rate: no stored rate converts it any more. */
function convertedAt(rate: RateChange, entry: PlannedEntry): PlannedEntry {
  const generated = entry.generated && { exchangeRate: null, exchangeRateDate: null };
  return { ...entry, amountUsd: usdAt(rate, entry.amount), generated };
}

const usdAt = ({ rate, path }: RateChange, amount: Cents): Cents =>
  atPath(path, () => centsOf(convert(moneyOf(amount), { rate, isInverse: false })));

const usdBy = (
  converter: UsdConverter,
  { amount, currency, date }: Omit<AddedEntry, 'path'>,
): Cents => centsOf(converter.toUsd({ amount: moneyOf(amount), currency, date }).amountUsd);
