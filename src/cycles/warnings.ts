import { Big } from 'big.js';
import type { LimitedBudget } from '../budgets/budgets.queries.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { MAX_RATE_AGE_DAYS, oldestRateDate } from '../exchange-rates/rate-age.js';
import { budgetAmount } from '../ledger/entities/budget-amount.js';
import type { CycleEntry, EntryType } from '../ledger/entities/cycle-entry.entity.js';
import type { UsedRate } from '../ledger/entities/used-rate.js';
import type { GeneratedEntries } from '../ledger/generation/entry-generator.js';
import { daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { formatMoney, sumMoney, type Money } from '../platform/values/money.js';
import type { CycleSummary, RelatedCycle } from './cycle-planning.queries.js';
import type { CashFlowResponse, DayBalanceResponse } from './dto/cash-flow.dto.js';

export const WARNING_CODES = [
  'name_taken',
  'overlaps_cycle',
  'gap_to_previous',
  'inactive_payment_method',
  'future_rate',
  'stale_rate',
  'negative_balance',
  'over_limit',
] as const;

/** An entry that was converted by a rate of another time. */
interface ConvertedEntry {
  entity_type: EntryType;
  template_id: string | null;
  description: string;
  date: CalendarDate;
  exchange_rate: UsedRate;
}

interface WarningDetails {
  name_taken: { cycles: CycleSummary[] };
  overlaps_cycle: { cycles: CycleSummary[] };
  gap_to_previous: { cycles: CycleSummary[]; days: number };
  inactive_payment_method: { payment_methods: { id: string; name: string }[] };
  future_rate: { entries: ConvertedEntry[] };
  stale_rate: { entries: ConvertedEntry[] };
  negative_balance: { first: DayBalanceResponse; lowest: DayBalanceResponse };
  over_limit: { budgets: BudgetOverLimit[] };
}

/** Amounts in the currency of the budget. */
interface BudgetOverLimit {
  budget: { id: string; name: string };
  currency: CurrencyCode;
  limit: string;
  total_amount: string;
  refunded_amount: string;
}

export interface Warning {
  code: (typeof WARNING_CODES)[number];
  message: string;
  /** What the warning is about. */
  details: WarningDetails[keyof WarningDetails];
}

interface Planned {
  cycle: { startDate: CalendarDate };
  related: readonly RelatedCycle[];
  limited: readonly LimitedBudget[];
  generated: GeneratedEntries;
  /** It has the rates of {@link datesOfBudgetsInPesos}. */
  converter: UsdConverter;
  cashFlow: CashFlowResponse;
}

/**
 * The warnings about a planned cycle, at most one of each code.
 *
 * @throws DomainError CURRENCY_CONVERSION_ERROR without a stored rate
 */
export function warningsOf(planned: Planned): Warning[] {
  const { cycle, related, generated, cashFlow } = planned;
  return [
    ...cycleWarnings(cycle.startDate, related),
    ...paymentMethodWarnings(generated),
    ...rateWarnings(generated),
    ...balanceWarnings(cashFlow),
    ...limitWarnings(planned),
  ];
}

function warning<Code extends keyof WarningDetails>(
  code: Code,
  message: string,
  details: WarningDetails[Code],
): Warning {
  return { code, message, details };
}

function cycleWarnings(startDate: CalendarDate, related: readonly RelatedCycle[]): Warning[] {
  const warnings: Warning[] = [];
  const named = related.filter(({ has_name }) => has_name);
  if (named.length > 0) {
    warnings.push(
      warning('name_taken', 'Another cycle has this name', { cycles: named.map(summary) }),
    );
  }
  const overlapping = related.filter(({ overlaps }) => overlaps);
  if (overlapping.length > 0) {
    const cycles = overlapping.map(summary);
    warnings.push(warning('overlaps_cycle', 'Other cycles have some of these days', { cycles }));
    return warnings;
  }
  const previous = related.find(({ is_previous }) => is_previous);
  const days = previous ? daysBetween({ from: previous.end_date, to: startDate }) - 1 : 0;
  if (previous && days > 0) {
    const message = `No cycle has the ${days} days between the previous cycle and this one`;
    warnings.push(warning('gap_to_previous', message, { cycles: [summary(previous)], days }));
  }
  return warnings;
}

const summary = ({ id, name, start_date, end_date }: RelatedCycle): CycleSummary => ({
  id,
  name,
  start_date,
  end_date,
});

function paymentMethodWarnings({ expenses, incomes }: GeneratedEntries): Warning[] {
  const inactive = new Map<string, { id: string; name: string }>();
  for (const { paymentMethod } of [...expenses, ...incomes]) {
    if (!paymentMethod || paymentMethod.active) continue;
    const { id, name } = paymentMethod;
    inactive.set(id, { id, name });
  }
  if (inactive.size === 0) return [];
  const message = 'Templates use payment methods that are not active';
  return [warning('inactive_payment_method', message, { payment_methods: [...inactive.values()] })];
}

function rateWarnings({ expenses, incomes }: GeneratedEntries): Warning[] {
  const entries = [...expenses, ...incomes].flatMap(converted);
  const future = entries.filter(({ date, exchange_rate }) => exchange_rate.rate_date > date);
  const stale = entries.filter(
    ({ date, exchange_rate }) => exchange_rate.rate_date < oldestRateDate(date),
  );
  const warnings: Warning[] = [];
  if (future.length > 0) {
    const message = 'Amounts are converted by exchange rates that are later than their dates';
    warnings.push(warning('future_rate', message, { entries: future }));
  }
  if (stale.length > 0) {
    const message = `Amounts are converted by exchange rates more than ${MAX_RATE_AGE_DAYS} days before their dates`;
    warnings.push(warning('stale_rate', message, { entries: stale }));
  }
  return warnings;
}

/** The entry, unless it is in USD. */
function converted(entry: CycleEntry): ConvertedEntry[] {
  const { type, templateId, description, date } = entry;
  const exchange_rate = entry.usedRate();
  if (!exchange_rate) return [];
  return [{ entity_type: type, template_id: templateId, description, date, exchange_rate }];
}

function balanceWarnings({ days, lowest }: CashFlowResponse): Warning[] {
  const first = days.find(({ balance_usd }) => new Big(balance_usd).lt(0));
  if (!first) return [];
  const { date, balance_usd } = first;
  const message = `The balance falls below zero on ${date}; its lowest is ${lowest.balance_usd} USD on ${lowest.date}`;
  return [warning('negative_balance', message, { first: { date, balance_usd }, lowest })];
}

/** The dates of amounts in USD that count for budgets in pesos, for a converter. */
export const datesOfBudgetsInPesos = (
  limited: readonly LimitedBudget[],
  { expenses, incomes }: GeneratedEntries,
): CalendarDate[] =>
  [...expenses, ...incomes]
    .filter(({ currency, budgetId }) =>
      limited.some(
        (budget) =>
          currency === 'USD' && budget.currency === 'MXN' && budget.budget_id === budgetId,
      ),
    )
    .map(({ date }) => date);

function limitWarnings({ limited, generated, converter }: Planned): Warning[] {
  const { expenses, incomes } = generated;
  const budgets = limited.flatMap((budget): BudgetOverLimit[] => {
    const { budget_id: id, name, currency, limit } = budget;
    const sumOf = (entries: readonly CycleEntry[]): Money =>
      sumMoney(
        entries
          .filter(({ budgetId }) => budgetId === id)
          .map((entry) => budgetAmount(entry, currency, converter)),
      );
    const [total, refunded] = [sumOf(expenses), sumOf(incomes)];
    if (total.minus(refunded).lte(limit)) return [];
    return [
      {
        ...{ budget: { id, name }, currency, limit },
        total_amount: formatMoney(total),
        refunded_amount: formatMoney(refunded),
      },
    ];
  });
  if (budgets.length === 0) return [];
  return [warning('over_limit', 'The expenses exceed the limits of budgets', { budgets })];
}
