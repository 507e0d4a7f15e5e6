/** What is left of the budgets of cycles, which a forecast sets aside day by day on request. */
import type { LimitedBudget } from '../budgets/budgets.queries.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { budgetAmount } from '../ledger/entities/budget-amount.js';
import {
  conversionOf,
  toConvert,
  type DueOccurrence,
} from '../ledger/generation/entry-generator.js';
import { withPauses } from '../platform/process/pauses.js';
import { daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { groupBy } from '../platform/values/group-by.js';
import { centsOf, moneyOf, type Cents } from '../platform/values/money.js';
import { compareCodePoints, compareText } from '../platform/values/text.js';
import { roleOf } from './card-statements.js';
import type { FollowingCycle, Plan, StoredPlan } from './plan.js';
import type { PlannedCycle } from './planned-cycle.js';
import { assertNewEntries, plannedEntry, type PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';

/** What is left of a budget in a stored cycle, in its currency; negative beyond its limit. */
export interface StoredLeft {
  cycleId: string;
  budgetId: string;
  name: string;
  currency: CurrencyCode;
  left: Cents;
}

/**
 * Open entries in pesos that are part of what a budget in USD has spent or got back, without those
 * of statements.
 */
interface OpenPesos {
  date: CalendarDate;
  /** The amount of each, in pesos. */
  amount: Cents;
  /** The amount of each, in USD. */
  amountUsd: Cents;
  /** How many expenses there are; negative for incomes. */
  count: number;
}

export interface StoredPesos extends OpenPesos {
  cycleId: string;
  budgetId: string;
}

/** What is left of a budget in a cycle that has not ended. */
export interface PlannedBudget {
  cycle: PlannedCycle;
  id: string;
  name: string;
  currency: CurrencyCode;
  /** The amount in the currency; negative beyond the limit. */
  left: Cents;
  /** The same in USD, pesos at the rate of today. */
  leftUsd: Cents;
  pesos: readonly OpenPesos[];
}

/** What is read of the database to set aside what is left of budgets; empty lists: nothing is. */
export interface StoredBudgets {
  left: readonly StoredLeft[];
  /** Only where exchange rates change. */
  pesos: readonly StoredPesos[];
  /** The budgets that have a limit in a cycle that would follow. */
  limited: readonly LimitedBudget[];
}

/** The occurrences that take from what is left of budgets. */
export function budgetedOccurrences(
  following: readonly FollowingCycle[],
  limited: readonly LimitedBudget[],
): DueOccurrence[] {
  const ids = new Set(limited.map(({ budget_id: id }) => id));
  return following.flatMap(({ occurrences }) =>
    occurrences.filter((one) => ids.has(budgetIdOf(one) ?? '')),
  );
}

const budgetIdOf = ({ template }: DueOccurrence): string | undefined => template.budget?.id;

/** The dates of amounts in USD that count for budgets in pesos, for a converter. */
export function datesOfBudgetsInPesos(
  following: readonly FollowingCycle[],
  limited: readonly LimitedBudget[],
): CalendarDate[] {
  const inPesos = limited.filter(({ currency }) => currency === 'MXN');
  return budgetedOccurrences(following, inPesos)
    .filter(({ template }) => template.currency === 'USD')
    .map(({ date }) => date);
}

/**
 * What is left of budgets in the cycles that have not ended. Other requests run meanwhile.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted;
 *   CURRENCY_CONVERSION_ERROR without a stored rate
 */
export async function plannedBudgets(
  { storedCycles, following, budgets: { left, pesos, limited }, cards, converter }: StoredPlan,
  query: ForecastQuery,
): Promise<PlannedBudget[]> {
  const planned = (fields: Omit<PlannedBudget, 'leftUsd'>): PlannedBudget => {
    const amount = { amount: moneyOf(fields.left), currency: fields.currency, date: query.today };
    return { ...fields, leftUsd: centsOf(converter.exchange(amount, 'USD')) };
  };
  const cycleOf = new Map(storedCycles.map((cycle) => [cycle.id, cycle]));
  const keyOf = ({ cycleId, budgetId }: StoredLeft | StoredPesos): string =>
    `${cycleId} ${budgetId}`;
  const pesosOf = groupBy(pesos, keyOf);
  const budgets = left.flatMap((row): PlannedBudget[] => {
    const cycle = cycleOf.get(row.cycleId);
    if (!cycle) return [];
    const { budgetId: id, name, currency } = row;
    const inPesos = pesosOf.get(keyOf(row)) ?? [];
    return [planned({ cycle, id, name, currency, left: row.left, pesos: inPesos })];
  });
  for await (const { cycle, occurrences } of withPauses(following)) {
    const occurrencesOf = groupBy(occurrences, budgetIdOf);
    for (const { budget_id: id, name, currency, limit } of limited) {
      const found = occurrencesOf.get(id) ?? [];
      const spent = found.map((one) => spentBy(one, currency, converter));
      const left = spent.reduce((sum, amount) => sum - amount, centsOf(limit));
      const inPesos = found.filter(
        ({ template, date }) =>
          currency === 'USD' &&
          template.currency === 'MXN' &&
          date <= query.freeUntil &&
          roleOf({ ...template, date }, query, cards) !== 'purchase',
      );
      const pesos = inPesos.map((one) => openPesosOf(one, converter));
      budgets.push(planned({ cycle, id, name, currency, left, pesos }));
    }
  }
  return budgets;
}

const isRefund = ({ template }: DueOccurrence): boolean => template.kind === 'income';

/** What an occurrence takes of a budget in a currency; negative for a refund. */
function spentBy(due: DueOccurrence, currency: CurrencyCode, converter: UsdConverter): Cents {
  const { amountUsd } = conversionOf(due, converter);
  const spent = budgetAmount(
    { ...toConvert(due), amount: due.amount, amountUsd },
    currency,
    converter,
  );
  return isRefund(due) ? -centsOf(spent) : centsOf(spent);
}

const openPesosOf = (due: DueOccurrence, converter: UsdConverter): OpenPesos => ({
  date: due.date,
  amount: centsOf(due.amount),
  amountUsd: centsOf(conversionOf(due, converter).amountUsd),
  count: isRefund(due) ? -1 : 1,
});

/**
 * The budgets of which something is left, by name in code points, then id; the sort is stable.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR when they and the new entries are too many
 */
export function budgetsWithRest({ budgets, newEntryCount }: Plan): PlannedBudget[] {
  const withRest = budgets.filter(({ left }) => left > 0n);
  assertNewEntries(newEntryCount + withRest.length);
  // There are few names, and many cycles.
  const names = [...new Set(withRest.map(({ name }) => name))].toSorted(compareCodePoints);
  const rankOf = new Map(names.map((name, rank) => [name, rank]));
  const rank = ({ name }: PlannedBudget): number => rankOf.get(name) ?? 0;
  return withRest.toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id));
}

/** What of a budget counts as spent from a day on, in the currency of the forecast. */
export interface SetAside {
  /** The first day: today, or the first one of the cycle if that is later. */
  first: CalendarDate;
  /** What counts on each day from the first one until the last one that counts. */
  amounts: readonly Cents[];
  /** How many days there are until the last one of the cycle. */
  dayCount: number;
}

/**
 * What is left of a budget, day by day: after k of the n days from the first one to the last one of
 * the cycle, k / n of it, cut to cents.
 */
export function setAsideByDay(
  budget: PlannedBudget,
  { today, freeUntil, currency }: Pick<ForecastQuery, 'today' | 'freeUntil' | 'currency'>,
): SetAside {
  const left = currency === 'MXN' ? budget.left : budget.leftUsd;
  const { startDate, endDate } = budget.cycle;
  const first = startDate < today ? today : startDate;
  const dayCount = daysBetween({ from: first, to: endDate }) + 1;
  const countingDays = daysBetween({ from: first, to: freeUntil }) + 1;
  const amounts: Cents[] = [];
  let before = 0n;
  for (let day = 1; day <= dayCount && day <= countingDays; day += 1) {
    const sum = partOf(left, day, dayCount);
    amounts.push(sum - before);
    before = sum;
  }
  return { first, amounts, dayCount };
}

/** What counts of an amount after some of the days, cut to cents. */
const partOf = (amount: Cents, days: number, dayCount: number): Cents =>
  (amount * BigInt(days)) / BigInt(dayCount);

/**
 * The entry of what a budget sets aside until its date, after some of the days; it is shown, and is
 * in no sum.
 */
export const setAsideEntry = (
  { cycle, id, name, currency, left, leftUsd }: PlannedBudget,
  { date, days, dayCount }: { date: CalendarDate; days: number; dayCount: number },
): PlannedEntry =>
  plannedEntry({
    type: 'budget',
    cycle,
    id,
    date,
    description: name,
    budget: { id, name },
    currency,
    amount: partOf(left, days, dayCount),
    amountUsd: partOf(leftUsd, days, dayCount),
  });
