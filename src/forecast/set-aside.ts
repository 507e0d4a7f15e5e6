/** What is left of the budgets of cycles, which a forecast sets aside on request. */
import type { LimitedBudget } from '../budgets/budgets.queries.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { conversionOf, type DueOccurrence } from '../ledger/generation/entry-generator.js';
import { withPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { centsOf, formatCents, formatMoney, type Cents } from '../platform/values/money.js';
import { compareCodePoints, compareText } from '../platform/values/text.js';
import {
  counts,
  type ForecastQuery,
  type PlannedCycle,
  type PlannedEntry,
  type StoredPlan,
} from './plan.js';

/** What is left of a budget in a stored cycle, in USD; negative beyond its limit. */
export interface StoredLeft {
  cycle_id: string;
  budget_id: string;
  name: string;
  left: string;
}

/** Open expenses in pesos that are part of what a budget has spent. */
interface OpenPesos {
  date: CalendarDate;
  /** Of each, in pesos. */
  amount: string;
  /** Of each, in USD. */
  amount_usd: string;
  /** How many there are. */
  count: number;
}

export interface StoredPesos extends OpenPesos {
  cycle_id: string;
  budget_id: string;
}

/** What is left of a budget in a cycle that ends in the forecast. */
export interface PlannedBudget {
  cycle: PlannedCycle;
  id: string;
  name: string;
  /** In USD; negative beyond its limit. */
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
  /** What is generated in each cycle that would follow, whether or not it counts. */
  due: readonly (readonly DueOccurrence[])[];
}

/** Whether the last day of a cycle, which is not before today, is in the forecast. */
const endsWithin = ({ end_date: end }: PlannedCycle, { to }: ForecastQuery): boolean => end <= to;

/** The occurrences that take from what is left of budgets, and so must be converted. */
export function budgetedDue(
  { limited, due }: Pick<StoredBudgets, 'limited' | 'due'>,
  cycles: readonly PlannedCycle[],
  query: ForecastQuery,
): DueOccurrence[] {
  const ids = new Set(limited.map(({ budget_id: id }) => id));
  return cycles.flatMap((cycle, index) =>
    endsWithin(cycle, query)
      ? (due[index] ?? []).filter((one) => ids.has(budgetIdOf(one) ?? ''))
      : [],
  );
}

const budgetIdOf = ({ template }: DueOccurrence): string | undefined =>
  template.kind === 'expense' ? template.budget?.id : undefined;

/**
 * What is left of budgets in the cycles that end in the forecast. Other requests run meanwhile.
 *
 * @param cycles of the plan
 * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted
 */
export async function plannedBudgets(
  { budgets: stored, following, converter }: StoredPlan,
  cycles: readonly PlannedCycle[],
  query: ForecastQuery,
): Promise<PlannedBudget[]> {
  const cycleOf = new Map(cycles.map((cycle) => [cycle.id, cycle]));
  const keyOf = (row: { cycle_id: string; budget_id: string }): string =>
    `${row.cycle_id} ${row.budget_id}`;
  const pesosOf = groupBy(stored.pesos, keyOf);
  const budgets = stored.left.flatMap((row): PlannedBudget[] => {
    const cycle = cycleOf.get(row.cycle_id);
    if (!cycle) return [];
    const { budget_id: id, name } = row;
    return [{ cycle, id, name, left: centsOf(row.left), pesos: pesosOf.get(keyOf(row)) ?? [] }];
  });
  for await (const [index, cycle] of withPauses(following.cycles.entries())) {
    if (!endsWithin(cycle, query)) continue;
    const dueOf = groupBy(stored.due[index] ?? [], budgetIdOf);
    for (const { budget_id: id, name, limit } of stored.limited) {
      const expenses = (dueOf.get(id) ?? []).map((due) => toExpense(due, converter));
      const spent = expenses.reduce((sum, { amount_usd: usd }) => sum + centsOf(usd), 0n);
      const pesos = expenses.filter(({ currency }) => currency === 'MXN');
      budgets.push({ cycle, id, name, left: centsOf(limit) - spent, pesos });
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

const toExpense = (due: DueOccurrence, converter: UsdConverter) => ({
  date: due.date,
  currency: due.template.currency,
  amount: formatMoney(due.template.baseAmount),
  amount_usd: formatMoney(conversionOf(due, converter).amountUsd),
  count: 1,
});

/**
 * The entries of what is left above 0.00, as filtered, by name in code points, then id; the sort is
 * stable.
 */
export function setAside(budgets: readonly PlannedBudget[], query: ForecastQuery): PlannedEntry[] {
  // There are few names, and many cycles.
  const names = [...new Set(budgets.map(({ name }) => name))].toSorted(compareCodePoints);
  const rankOf = new Map(names.map((name, rank) => [name, rank]));
  const rank = ({ name }: PlannedBudget): number => rankOf.get(name) ?? 0;
  return budgets
    .filter(({ left }) => left > 0n)
    .toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id))
    .map(toEntry)
    .filter((entry) => counts(query, entry));
}

function toEntry({ cycle, id, name, left }: PlannedBudget): PlannedEntry {
  const amount = formatCents(left);
  return {
    entity_type: 'budget',
    cycle,
    date: cycle.end_date,
    id,
    template_id: null,
    occurrence_date: null,
    description: name,
    category: null,
    budget_id: id,
    budget_name: name,
    payment_method_id: null,
    method_name: null,
    method_type: null,
    currency: 'USD',
    amount,
    amount_usd: amount,
  };
}
