/** What is left of the budgets of cycles, which a forecast sets aside day by day on request. */
import type { LimitedBudget } from '../budgets/budgets.queries.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { conversionOf, type DueOccurrence } from '../ledger/generation/entry-generator.js';
import { withPauses } from '../platform/process/pauses.js';
import { daysBetween, type CalendarDate } from '../platform/values/calendar-date.js';
import { centsOf, type Cents } from '../platform/values/money.js';
import { compareCodePoints, compareText } from '../platform/values/text.js';
import type { FollowingCycle, Plan, StoredPlan } from './plan.js';
import type { PlannedCycle } from './planned-cycle.js';
import { assertNewEntries, plannedEntry, type PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';

/** What is left of a budget in a stored cycle, in USD; negative beyond its limit. */
export interface StoredLeft {
  cycleId: string;
  budgetId: string;
  name: string;
  left: Cents;
}

/** Open expenses in pesos that are part of what a budget has spent. */
interface OpenPesos {
  date: CalendarDate;
  /** The amount of each, in pesos. */
  amount: Cents;
  /** The amount of each, in USD. */
  amountUsd: Cents;
  /** How many there are. */
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
  /** The amount in USD; negative beyond its limit. */
  left: Cents;
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

const budgetIdOf = ({ template }: DueOccurrence): string | undefined =>
  template.kind === 'expense' ? template.budget?.id : undefined;

/**
 * What is left of budgets in the cycles that have not ended. Other requests run meanwhile.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted
 */
export async function plannedBudgets(
  { storedCycles, following, budgets: { left, pesos, limited }, converter }: StoredPlan,
  { freeUntil }: ForecastQuery,
): Promise<PlannedBudget[]> {
  const cycleOf = new Map(storedCycles.map((cycle) => [cycle.id, cycle]));
  const keyOf = ({ cycleId, budgetId }: StoredLeft | StoredPesos): string =>
    `${cycleId} ${budgetId}`;
  const pesosOf = groupBy(pesos, keyOf);
  const budgets = left.flatMap((row): PlannedBudget[] => {
    const cycle = cycleOf.get(row.cycleId);
    if (!cycle) return [];
    const { budgetId: id, name } = row;
    return [{ cycle, id, name, left: row.left, pesos: pesosOf.get(keyOf(row)) ?? [] }];
  });
  for await (const { cycle, occurrences } of withPauses(following)) {
    const occurrencesOf = groupBy(occurrences, budgetIdOf);
    for (const { budget_id: id, name, limit } of limited) {
      const expenses = (occurrencesOf.get(id) ?? []).map((one) => expenseOf(one, converter));
      const spent = expenses.reduce((sum, { amountUsd }) => sum + amountUsd, 0n);
      const inPesos = expenses.filter(
        ({ currency, date }) => currency === 'MXN' && date <= freeUntil,
      );
      budgets.push({ cycle, id, name, left: centsOf(limit) - spent, pesos: inPesos });
    }
  }
  return budgets;
}

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const expenseOf = (occurrence: DueOccurrence, converter: UsdConverter) => ({
  date: occurrence.date,
  currency: occurrence.template.currency,
  amount: centsOf(occurrence.amount),
  amountUsd: centsOf(conversionOf(occurrence, converter).amountUsd),
  count: 1,
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

/** What of a budget counts as spent from a day on, in USD. */
export interface SetAside {
  budget: PlannedBudget;
  /** The first day: today, or the first one of the cycle if that is later. */
  first: CalendarDate;
  /** What counts on each day from the first one until the last one that counts. */
  amounts: readonly Cents[];
}

/**
 * What is left of a budget, day by day: after k of the n days from the first one to the last one of
 * the cycle, k / n of it, cut to cents.
 */
export function setAsideByDay(
  budget: PlannedBudget,
  { today, freeUntil }: Pick<ForecastQuery, 'today' | 'freeUntil'>,
): SetAside {
  const { startDate, endDate } = budget.cycle;
  const first = startDate < today ? today : startDate;
  const dayCount = daysBetween({ from: first, to: endDate }) + 1;
  const countingDays = daysBetween({ from: first, to: freeUntil }) + 1;
  const amounts: Cents[] = [];
  let before = 0n;
  for (let day = 1; day <= dayCount && day <= countingDays; day += 1) {
    const sum = (budget.left * BigInt(day)) / BigInt(dayCount);
    amounts.push(sum - before);
    before = sum;
  }
  return { budget, first, amounts };
}

/** The entry of what a budget sets aside until its date, which is shown, and is in no sum. */
export const setAsideEntry = (
  { cycle, id, name }: PlannedBudget,
  { date, amount }: { date: CalendarDate; amount: Cents },
): PlannedEntry =>
  plannedEntry({
    type: 'budget',
    cycle,
    id,
    date,
    description: name,
    budget: { id, name },
    currency: 'USD',
    amount,
    amountUsd: amount,
  });
