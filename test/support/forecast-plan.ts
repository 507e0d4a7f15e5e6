/**
 * What a household plans, entry by entry, for the reference implementation of the forecast in
 * `forecast-model.ts`.
 */
import type { Recurrence } from '../../src/templates/recurrence/recurrence.js';
import { cents, halfUp, money, type Cents } from '../model/cents.js';
import { converted, valueIn } from './conversion-model.js';
import { cyclesThatFollow, type PlannedCycle } from './forecast-periods.js';
import { plannedDays, type PlannedDay, type PlannedTemplate } from './planned-days.js';
import {
  isOpenCycle,
  type Budget,
  type Currency,
  type Household,
  type StoredRate,
} from './stored-household.js';

type Instalment = NonNullable<PlannedDay['instalment']>;

/** A change of a what-if. */
export type Change =
  | {
      op: 'add_expense' | 'add_income';
      description: string;
      currency: Currency;
      amount: string;
      date: string;
      payment_method_id?: string | null;
    }
  | {
      op: 'add_expense_template' | 'add_income_template';
      description: string;
      currency: Currency;
      base_amount: string;
      amount_changes?: PlannedTemplate['amount_changes'];
      last_amount?: string | null;
      skipped_dates?: readonly string[];
      recurrence_type: string;
      recurrence_config: object;
      reference_date: string;
      starts_on?: string | null;
      ends_on?: string | null;
      weekend_rule?: string;
      payment_method_id?: string | null;
    }
  | { op: 'exchange_rate'; rate: string; from?: string }
  | { op: 'skip_template'; template_id: string; from: string; to: string }
  | { op: 'change_template'; template_id: string; amount: string; from: string };

/** Something that is planned, on whatever day, whether or not it matches a filter. */
export interface PlannedEntry {
  origin: 'stored' | 'generated' | 'added';
  entity_type: 'cycle' | 'cycle_expense' | 'card_statement' | 'budget' | 'cycle_income';
  id: string | null;
  cycle: PlannedCycle | undefined;
  template_id: string | null;
  occurrence_date: string | null;
  instalment: Instalment | null;
  date: string;
  description: string;
  category: string | null;
  budget_id: string | null;
  payment_method_id: string | null;
  currency: Currency;
  amount: Cents;
  amount_usd: Cents;
  /** Of the rate by which a generated or added entry was converted. */
  rate_date: string | null;
}

const scaled = (rate: string): { value: bigint; unit: bigint } => {
  const [whole = '0', fraction = ''] = rate.split('.');
  return { value: BigInt(whole + fraction), unit: 10n ** BigInt(fraction.length) };
};

/** By the rate, in USD for 1 MXN. */
export function atRate(amount: Cents, rate: string): Cents {
  const { value, unit } = scaled(rate);
  return halfUp(amount * value, unit);
}

/** By the latest rate of either direction until the date, else by the earliest after it. */
function toUsd(
  { rates }: Household,
  { amount, currency, date }: { amount: Cents; currency: Currency; date: string },
): { amount_usd: Cents; rate_date: string | null } {
  if (currency === 'USD') return { amount_usd: amount, rate_date: null };
  const own = (rate: StoredRate): number => (rate.from_currency === 'MXN' ? 1 : 0);
  const sorted = [...rates].sort((a, b) =>
    a.rate_date === b.rate_date ? own(a) - own(b) : a.rate_date < b.rate_date ? -1 : 1,
  );
  const earliest = sorted.filter(({ rate_date }) => rate_date === sorted[0]?.rate_date).at(-1);
  const used = sorted.findLast(({ rate_date }) => rate_date <= date) ?? earliest;
  if (!used) throw new Error('There is no rate');
  const { rate, rate_date } = used;
  if (own(used) === 1) return { amount_usd: atRate(amount, rate), rate_date };
  const { value, unit } = scaled(rate);
  return { amount_usd: halfUp(amount * unit, value), rate_date };
}

/** Whether a stored cycle has an entry of the occurrence. */
export const hasOccurrence = (
  { entries }: Household,
  template: { id: string },
  ruleDate: string,
): boolean =>
  entries.some((one) => one.template_id === template.id && one.occurrence_date === ruleDate);

/** Whether a change leaves out the occurrence of a template. */
const isLeftOut = (changes: readonly Change[], templateId: string, ruleDate: string): boolean =>
  changes.some(
    (change) =>
      change.op === 'skip_template' &&
      change.template_id === templateId &&
      change.from <= ruleDate &&
      ruleDate <= change.to,
  );

/** The amount of the change with the latest day until the occurrence of a template. */
function otherAmount(
  changes: readonly Change[],
  templateId: string,
  ruleDate: string,
): string | undefined {
  let used: { amount: string; from: string } | undefined;
  for (const change of changes) {
    if (change.op !== 'change_template' || change.template_id !== templateId) continue;
    if (change.from <= ruleDate && (!used || change.from >= used.from)) used = change;
  }
  return used?.amount;
}

/** What would be stored if open occurrences that nobody has edited were as changes make them. */
export function withTemplateChanges(household: Household, changes: readonly Change[]): Household {
  const open = household.cycles.filter(isOpenCycle).map(({ id }) => id);
  const entries = household.entries.flatMap((entry) => {
    const { template_id, occurrence_date, currency, date } = entry;
    const isFixed = entry.settled || entry.cancelled || entry.edited;
    if (!template_id || !occurrence_date || isFixed || !open.includes(entry.cycle_id)) {
      return [entry];
    }
    if (isLeftOut(changes, template_id, occurrence_date)) return [];
    const amount = otherAmount(changes, template_id, occurrence_date);
    if (amount === undefined || cents(amount) === cents(entry.amount)) return [entry];
    const { amount_usd } = toUsd(household, { amount: cents(amount), currency, date });
    return [{ ...entry, amount, amount_usd: money(amount_usd) }];
  });
  return { ...household, entries };
}

/**
 * The entries that the templates give for a cycle, in the order of `POST /cycles`, but for what
 * stored cycles have.
 */
function generatedEntries(
  household: Household,
  cycle: PlannedCycle,
  changes: readonly Change[],
): PlannedEntry[] {
  const period = { start: cycle.start_date, end: cycle.end_date };
  const entries = household.templates.flatMap((template) =>
    plannedDays(template, period)
      .filter(({ ruleDate }) => !hasOccurrence(household, template, ruleDate))
      .filter(({ ruleDate }) => !isLeftOut(changes, template.id, ruleDate))
      .map(({ date, ruleDate, instalment, ...planned }): PlannedEntry => {
        const { entity_type, description, category, budget_id, currency } = template;
        const amount = cents(otherAmount(changes, template.id, ruleDate) ?? planned.amount);
        return {
          ...{ origin: 'generated', entity_type, id: null, cycle, template_id: template.id },
          ...{ occurrence_date: ruleDate, instalment, date, description, category, budget_id },
          ...{ payment_method_id: template.payment_method_id, currency, amount },
          ...toUsd(household, { amount, currency, date }),
        };
      }),
  );
  const keyOf = ({ date, description }: PlannedEntry): string => `${date} ${description}`;
  return entries.sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1));
}

function incomeAmountOf(cycle: PlannedCycle): PlannedEntry {
  const { id, name: description, start_date: date, income_amount: amount } = cycle;
  return {
    ...{ origin: id === null ? 'generated' : 'stored', entity_type: 'cycle', id, cycle },
    ...{ template_id: null, occurrence_date: null, instalment: null, date, description },
    ...{
      category: null,
      budget_id: null,
      payment_method_id: null,
      currency: 'USD',
      amount,
      amount_usd: amount,
    },
    rate_date: null,
  };
}

/** What the changes add, in their order. */
function addedEntries(
  household: Household,
  to: string,
  changes: readonly Change[],
): PlannedEntry[] {
  return changes.flatMap((change): PlannedEntry[] => {
    if (!('description' in change)) return [];
    const { op, description, currency, payment_method_id = null } = change;
    const isExpense = op === 'add_expense' || op === 'add_expense_template';
    const days =
      'date' in change
        ? [{ date: change.date, ruleDate: null, amount: change.amount, instalment: null }]
        : plannedDays(
            {
              recurrence: {
                rule: { type: change.recurrence_type, config: change.recurrence_config },
                referenceDate: change.reference_date,
                startsOn: change.starts_on ?? null,
                endsOn: change.ends_on ?? null,
                weekendRule: change.weekend_rule ?? 'keep',
              } as Recurrence,
              base_amount: change.base_amount,
              amount_changes: change.amount_changes ?? [],
              last_amount: change.last_amount ?? null,
              skipped_dates: change.skipped_dates ?? [],
            },
            { start: household.today, end: to },
          );
    return days.map(({ date, ruleDate, instalment, ...planned }) => {
      const amount = cents(planned.amount);
      return {
        ...{ origin: 'added', entity_type: isExpense ? 'cycle_expense' : 'cycle_income', id: null },
        ...{ cycle: undefined, template_id: null, occurrence_date: ruleDate, instalment, date },
        ...{ description, category: null, budget_id: null, payment_method_id, currency, amount },
        ...toUsd(household, { amount, currency, date }),
      };
    });
  });
}

export interface Plan {
  /** Those that count, stored ones first. */
  cycles: PlannedCycle[];
  /** All that is planned in them and by the changes, purchases by card included. */
  entries: PlannedEntry[];
  /** What of it is not stored, without the rates of changes. */
  added: PlannedEntry[];
  /** What is left of budgets, where that is set aside. */
  left: PlannedEntry[];
}

/** @param containedUntil the last day whose income amounts of cycles are in what there is */
export function planOf(
  household: Household,
  {
    to,
    setsBudgetsAside,
    containedUntil,
  }: { to: string; setsBudgetsAside: boolean; containedUntil: string | null },
  changes: readonly Change[],
): Plan {
  const stored = household.cycles
    .filter(isOpenCycle)
    .map((cycle) => ({ ...cycle, income_amount: cents(cycle.income_amount) }));
  const proposed = cyclesThatFollow(household, to).map((cycle) =>
    household.nextIncomeAmount === 'zero' ? { ...cycle, income_amount: 0n } : cycle,
  );
  const open = household.entries.flatMap((entry): PlannedEntry[] => {
    const cycle = stored.find(({ id }) => id === entry.cycle_id);
    if (!cycle || entry.settled || entry.cancelled) return [];
    const { entity_type, id, template_id, occurrence_date, instalment, date } = entry;
    const { description, category } = entry;
    return [
      {
        ...{ origin: 'stored', entity_type, id, cycle, template_id, occurrence_date, date },
        ...{ instalment, description, category, budget_id: entry.budget_id },
        ...{ payment_method_id: entry.payment_method_id },
        ...{ currency: entry.currency, amount: cents(entry.amount) },
        ...{ amount_usd: cents(entry.amount_usd), rate_date: null },
      },
    ];
  });
  const cycles = [...stored, ...proposed];
  const added = [
    ...proposed.flatMap((cycle) => generatedEntries(household, cycle, changes)),
    ...addedEntries(household, to, changes),
  ];
  const begin = cycles.filter(
    ({ start_date }) => start_date >= household.today && start_date > (containedUntil ?? ''),
  );
  const planned = [...begin.map(incomeAmountOf), ...open, ...added];
  const entries = withRates({ today: household.today, to }, planned, changes);
  const current = cycles.filter(
    ({ start_date, end_date }) => household.today <= end_date && start_date <= to,
  );
  const left = withRates(
    { today: household.today, to },
    current.flatMap((cycle) => leftOf(household, cycle, entries)),
    changes,
  ).sort(byName);
  return { cycles, entries, added, left: setsBudgetsAside ? left : [] };
}

/** The limits of a stored cycle, or those that it would have. */
function limitsOf(
  { cycles, budgets }: Household,
  { id }: PlannedCycle,
): { budget: Budget; limit: Cents }[] {
  const stored = cycles.find((cycle) => cycle.id === id);
  return budgets.flatMap((budget) => {
    const own = stored?.budget_limits.find(({ budget_id }) => budget_id === budget.id)?.limit;
    const limit = stored ? own : budget.active ? budget.cycle_limit : null;
    return limit === undefined || limit === null ? [] : [{ budget, limit: cents(limit) }];
  });
}

/**
 * What a cycle has left of its budgets, where it is something, on the first day that counts.
 *
 * @param planned with the open entries of the cycle
 */
function leftOf(
  household: Household,
  cycle: PlannedCycle,
  planned: readonly PlannedEntry[],
): PlannedEntry[] {
  const { rates, today } = household;
  const date = cycle.start_date < today ? today : cycle.start_date;
  const settled = household.entries
    .filter((one) => one.cycle_id === cycle.id && one.settled && !one.cancelled)
    .map((one) => ({ ...one, amount: cents(one.amount), amount_usd: cents(one.amount_usd) }));
  const open = planned.filter((one) => one.cycle === cycle);
  return limitsOf(household, cycle).flatMap(({ budget, limit }): PlannedEntry[] => {
    const { currency } = budget;
    let amount = limit;
    for (const entry of [...settled, ...open]) {
      if (entry.budget_id !== budget.id) continue;
      const value = valueIn(rates, currency, entry);
      amount += entry.entity_type === 'cycle_income' ? value : -value;
    }
    if (amount <= 0n) return [];
    const amount_usd = converted(rates, { amount, from: currency, to: 'USD', date: today });
    return [
      {
        ...{ origin: cycle.id === null ? 'generated' : 'stored', entity_type: 'budget' },
        ...{ id: budget.id, cycle, template_id: null, occurrence_date: null, instalment: null },
        ...{ category: null, date, description: budget.name, budget_id: budget.id },
        ...{ payment_method_id: null, currency, amount, amount_usd, rate_date: null },
      },
    ];
  });
}

/** By name in the order of code points, then id. */
function byName(a: PlannedEntry, b: PlannedEntry): number {
  const [ofA, ofB] = [a, b].map(({ description, id }) => [
    ...[...description].map((character) => (character.codePointAt(0) ?? 0) + 1),
    0,
    ...[...(id ?? '')].map((character) => character.charCodeAt(0)),
  ]);
  const index = ofA?.findIndex((value, position) => value !== ofB?.[position]) ?? -1;
  return (ofA?.[index] ?? 0) - (ofB?.[index] ?? 0);
}

/** Converts what counts on a day at the rate of the change with the latest day until then. */
export function withRates(
  { today, to }: { today: string; to: string },
  entries: readonly PlannedEntry[],
  changes: readonly Change[],
): PlannedEntry[] {
  return entries.map((entry) => {
    if (entry.currency !== 'MXN' || entry.date > to) return entry;
    const day = entry.date < today ? today : entry.date;
    let used: { rate: string; from: string } | undefined;
    for (const change of changes) {
      if (change.op !== 'exchange_rate') continue;
      const { rate, from = today } = change;
      if (from <= day && (!used || from >= used.from)) used = { rate, from };
    }
    return used
      ? { ...entry, amount_usd: atRate(entry.amount, used.rate), rate_date: null }
      : entry;
  });
}
