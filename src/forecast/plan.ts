/** What a forecast is made of, as plain data, and how that comes from what is stored. */
import { Big } from 'big.js';
import type { Conversion, UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import type { CycleStatus } from '../ledger/entities/cycle.entity.js';
import { conversionOf, type DueOccurrence } from '../ledger/generation/entry-generator.js';
import { cyclesOfRun, runsWithoutCycle, unusedName } from '../ledger/periods.js';
import type { PaymentMethodType } from '../payment-methods/payment-method.entity.js';
import { withPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { formatMoney, sumMoney, type Money } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import type { ExpenseCategory } from '../templates/expense-template.entity.js';
import type { Period } from '../templates/recurrence/recurrence.js';
import type { PlannedBudget, StoredBudgets } from './set-aside.js';

/** The parameters of a forecast, with their defaults. */
export interface ForecastQuery {
  /** The first day. */
  today: CalendarDate;
  /** The last day. */
  to: CalendarDate;
  /** null: all entries, in USD. */
  currency: CurrencyCode | null;
  /** null: all entries. */
  paymentMethodId: string | null;
  /** null: what has happened according to the plan. */
  openingBalance: Money | null;
  minimumBalance: Money;
  include: readonly ('days' | 'entries')[];
  /** Whether what is left of budgets counts as spent. */
  setsBudgetsAside: boolean;
}

/** A stored cycle in whatever state; amounts in USD. */
export interface StoredCycle {
  id: string;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  status: CycleStatus;
  income_amount: string;
  remaining_balance: string;
  /** Received incomes minus paid expenses; of a completed cycle 0.00. */
  settled: string;
}

/** A draft or active cycle, or one that would follow, which has no id. */
export interface PlannedCycle {
  id: string | null;
  name: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
  incomeAmount: Money;
  /** In USD; of a stored one. */
  remainingBalance?: string;
}

/** In their order on a day. */
export const FORECAST_ENTRY_TYPES = ['cycle', 'cycle_expense', 'budget', 'cycle_income'] as const;
export type ForecastEntryType = (typeof FORECAST_ENTRY_TYPES)[number];

/** The columns of an open entry, or of the sum of some. */
export interface OpenEntry {
  entity_type: ForecastEntryType;
  cycle_id: string;
  /** Its own; of a sum with entries dated before today, a day before today. */
  date: CalendarDate;
  id: string | null;
  template_id: string | null;
  occurrence_date: CalendarDate | null;
  description: string;
  category: ExpenseCategory | null;
  budget_id: string | null;
  /** null without a budget. */
  budget_name: string | null;
  payment_method_id: string | null;
  /** null without a payment method. */
  method_name: string | null;
  method_type: PaymentMethodType | null;
  currency: CurrencyCode;
  /** With 2 decimals, like the amount in USD. */
  amount: string;
  amount_usd: string;
  /** Of a sum of entries; undefined: one. */
  count?: number;
}

/**
 * Something that counts: an open entry, a sum of open entries, the income of a cycle, or what is left
 * of a budget.
 */
export interface PlannedEntry extends Omit<OpenEntry, 'cycle_id'> {
  /** Undefined: added by a change. */
  cycle?: PlannedCycle;
  /** Of a generated entry; the rate is null where no stored one converts it. */
  generated?: Pick<Conversion, 'exchangeRate' | 'exchangeRateDate'> & { isMethodActive: boolean };
}

/** Everything that a forecast is made of. */
export interface Plan {
  /** By start date, then creation, stored ones first. */
  cycles: readonly PlannedCycle[];
  /**
   * What counts, all until the last day and as filtered: incomes of cycles, then stored entries,
   * then generated and added ones, each in the order of creation or generation.
   */
  entries: readonly PlannedEntry[];
  /** What has happened according to the plan, in USD. */
  settled: Money;
  /** What is left of budgets, where it is set aside. */
  budgets: readonly PlannedBudget[];
  /** Runs of days before the latest end date that no stored cycle has. */
  gaps: readonly { from: CalendarDate; to: CalendarDate }[];
}

/** The cycles that would follow the stored ones, by date, and the gaps that they fill. */
export interface FollowingCycles {
  cycles: PlannedCycle[];
  gaps: Plan['gaps'];
}

/** What is read of the database. */
export interface StoredPlan {
  /** In the order of creation. */
  stored: readonly StoredCycle[];
  following: FollowingCycles;
  /** By kind and date, then creation. */
  open: readonly OpenEntry[];
  /** Of each cycle that would follow, in the order of generation. */
  generated: readonly (readonly DueOccurrence[])[];
  budgets: StoredBudgets;
  converter: UsdConverter;
}

/** Whether an entry counts by its date and the filters. */
export const counts = (
  { currency, paymentMethodId, to }: ForecastQuery,
  entry: Pick<PlannedEntry, 'currency' | 'date' | 'payment_method_id'>,
): boolean =>
  entry.date <= to &&
  (currency === null || entry.currency === currency) &&
  (paymentMethodId === null || entry.payment_method_id === paymentMethodId);

/** The occurrences whose entries count. */
export const countedDue = (query: ForecastQuery, due: readonly DueOccurrence[]): DueOccurrence[] =>
  due.filter(({ template: { currency, paymentMethod }, date }) =>
    counts(query, { date, currency, payment_method_id: paymentMethod?.id ?? null }),
  );

/**
 * The cycles that would follow, with the income of the stored cycle that each run of them follows;
 * one that ends early has none.
 *
 * @param stored in the order of creation
 * @param maxDays the maximum of `end_date - start_date`
 */
export function followingCycles(
  stored: readonly StoredCycle[],
  { today, to }: Pick<ForecastQuery, 'today' | 'to'>,
  maxDays: number,
): FollowingCycles {
  const runs = runsWithoutCycle(stored, { start: today, end: to }, maxDays);
  const names = new Set(stored.map(({ name }) => name));
  const cycles = runs.flatMap((run) =>
    cyclesOfRun(run, to, maxDays).map(({ isCut, ...period }): PlannedCycle => {
      const name = unusedName(period, names);
      names.add(name);
      const incomeAmount = new Big(isCut ? 0 : (run.previous?.income_amount ?? 0));
      const { start: start_date, end: end_date } = period;
      return { id: null, name, start_date, end_date, incomeAmount };
    }),
  );
  const latestEnd = stored.reduce(
    (end, cycle) => (cycle.end_date > end ? cycle.end_date : end),
    '',
  );
  const gaps = runs
    .filter(({ end }) => end < latestEnd)
    .map(({ start, end }) => ({
      from: start < today ? today : start,
      to: end > to ? to : end,
    }));
  return { cycles, gaps };
}

export const periodOf = ({ start_date: start, end_date: end }: PlannedCycle): Period => ({
  start,
  end,
});

/**
 * The plan with what counts of the stored and of the generated entries, without budgets. Other
 * requests run meanwhile.
 *
 * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted
 */
export async function toPlan(
  { stored, following, open, generated, converter }: StoredPlan,
  query: ForecastQuery,
): Promise<Omit<Plan, 'budgets'>> {
  const openCycles = stored.filter(({ status }) => status !== 'completed');
  const planned = openCycles.map(toPlannedCycle);
  const cycles = [...planned, ...following.cycles].toSorted(byStart);
  const cycleOf = new Map(planned.map((cycle) => [cycle.id, cycle]));
  const hasBegun = ({ start_date: start }: PlannedCycle): boolean => start < query.today;
  const entries: PlannedEntry[] = [
    ...cycles.filter((cycle) => !hasBegun(cycle)).flatMap((cycle) => incomeOf(cycle, query)),
    // Not copied: there are thousands.
    ...open.map((entry) => Object.assign(entry, { cycle: cycleOf.get(entry.cycle_id) })),
  ];
  for await (const [index, ofCycle] of withPauses(generated.entries())) {
    const cycle = following.cycles[index];
    for (const due of ofCycle) entries.push(toPlannedEntry(due, cycle, converter));
  }
  const settled = sumMoney([
    ...openCycles.map((cycle) => new Big(cycle.settled)),
    ...cycles.filter(hasBegun).map(({ incomeAmount }) => incomeAmount),
  ]);
  return { cycles, entries, settled, gaps: following.gaps };
}

const toPlannedCycle = (cycle: StoredCycle): PlannedCycle => ({
  id: cycle.id,
  name: cycle.name,
  start_date: cycle.start_date,
  end_date: cycle.end_date,
  incomeAmount: new Big(cycle.income_amount),
  remainingBalance: cycle.remaining_balance,
});

/** The sort is stable. */
const byStart = (a: PlannedCycle, b: PlannedCycle): number =>
  compareText(a.start_date, b.start_date);

/** What the `income_amount` of a cycle adds on its first day. */
function incomeOf(cycle: PlannedCycle, query: ForecastQuery): PlannedEntry[] {
  const amount = formatMoney(cycle.incomeAmount);
  const entry: PlannedEntry = {
    entity_type: 'cycle',
    cycle,
    date: cycle.start_date,
    id: cycle.id,
    template_id: null,
    occurrence_date: null,
    description: cycle.name,
    category: null,
    budget_id: null,
    budget_name: null,
    payment_method_id: null,
    method_name: null,
    method_type: null,
    currency: 'USD',
    amount,
    amount_usd: amount,
  };
  return cycle.incomeAmount.gt(0) && counts(query, entry) ? [entry] : [];
}

function toPlannedEntry(
  due: DueOccurrence,
  cycle: PlannedCycle | undefined,
  converter: UsdConverter,
): PlannedEntry {
  const { template, date, ruleDate } = due;
  const { paymentMethod: method } = template;
  const budget = template.kind === 'expense' ? template.budget : null;
  const { amountUsd, exchangeRate, exchangeRateDate } = conversionOf(due, converter);
  return {
    entity_type: template.kind === 'expense' ? 'cycle_expense' : 'cycle_income',
    cycle,
    date,
    id: null,
    template_id: template.id,
    occurrence_date: ruleDate,
    description: template.description,
    category: template.kind === 'expense' ? template.category : null,
    budget_id: budget?.id ?? null,
    budget_name: budget?.name ?? null,
    payment_method_id: method?.id ?? null,
    method_name: method?.name ?? null,
    method_type: method?.methodType ?? null,
    currency: template.currency,
    amount: formatMoney(template.baseAmount),
    amount_usd: formatMoney(amountUsd),
    generated: { exchangeRate, exchangeRateDate, isMethodActive: method?.active ?? true },
  };
}
