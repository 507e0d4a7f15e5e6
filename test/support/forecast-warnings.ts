/** The warnings of the reference implementation of the forecast; messages left out. */
import { cents, money, sumOf, type Cents } from '../model/cents.js';
import { isOfStatement } from './cards-model.js';
import { dayNumber } from './due-days.js';
import { plusDays } from './forecast-periods.js';
import type { PlannedEntry } from './forecast-plan.js';
import { isOpenCycle, type Household, type StoredCycle } from './stored-household.js';

const MAX_ITEMS_OF_A_WARNING = 20;
const MAX_RATE_AGE_DAYS = 35;

type Json = Record<string, unknown>;

export interface ModelWarning {
  code: string;
  details: Json;
}

const atMost20 = (name: string, items: readonly Json[]): Json => ({
  [name]: items.slice(0, MAX_ITEMS_OF_A_WARNING),
  more: Math.max(0, items.length - MAX_ITEMS_OF_A_WARNING),
});

/** A warning about items, if there are any. */
const about = (code: string, name: string, items: readonly Json[]): ModelWarning[] =>
  items.length === 0 ? [] : [{ code, details: atMost20(name, items) }];

export function negativeBalance(
  days: readonly { date: string; balance: Cents }[],
  minimum: Cents,
  lowest: { date: string; balance: string },
): ModelWarning[] {
  const first = days.find(({ balance }) => balance < minimum);
  if (!first) return [];
  const details = { first: { date: first.date, balance: money(first.balance) }, lowest };
  return [{ code: 'negative_balance', details }];
}

/** In the order of generation; of a stale rate the entries alone, without their rates. */
export function generatedWarnings(
  { today, methods }: Household,
  counted: readonly PlannedEntry[],
): ModelWarning[] {
  const generated = counted.filter(
    ({ origin, entity_type }) => origin === 'generated' && entity_type !== 'cycle',
  );
  const stale = generated.filter(
    ({ rate_date }) =>
      rate_date !== null && dayNumber(today) - dayNumber(rate_date) > MAX_RATE_AGE_DAYS,
  );
  const used = generated.map(({ payment_method_id }) => payment_method_id);
  const inactive = methods.filter(({ id, active }) => !active && used.includes(id));
  return [
    ...about(
      'stale_rate',
      'entries',
      stale.map(({ template_id, date }) => ({ template_id, date })),
    ),
    ...about(
      'inactive_payment_method',
      'payment_methods',
      inactive.map(({ id, name }) => ({ id, name })),
    ),
  ];
}

export function cycleWarnings({ today, cycles: stored }: Household, to: string): ModelWarning[] {
  const cycles = stored.filter(({ side }) => !side);
  const periods: { from: string; to: string }[] = [];
  for (let day = today; day <= to; day = plusDays(day, 1)) {
    if (cycles.some(({ start_date, end_date }) => start_date <= day && day <= end_date)) continue;
    if (!cycles.some(({ end_date }) => day < end_date)) continue;
    const last = periods.at(-1);
    if (last?.to === plusDays(day, -1)) last.to = day;
    else periods.push({ from: day, to: day });
  }
  const open = cycles.filter(isOpenCycle);
  // Of equal end dates the later start date, then the one created later.
  const keyOf = ({ end_date, start_date }: StoredCycle): string => `${end_date} ${start_date}`;
  const ended = stored
    .filter(isOpenCycle)
    .filter(({ end_date }) => end_date < today)
    .reverse()
    .sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) > keyOf(b) ? -1 : 1));
  const sharesDays = (one: StoredCycle, other: StoredCycle): boolean => {
    for (let day = today; day <= to; day = plusDays(day, 1)) {
      const both = [one, other].every((cycle) => cycle.start_date <= day && day <= cycle.end_date);
      if (both) return true;
    }
    return false;
  };
  const overlapping = open
    .filter((one) => open.some((other) => other !== one && sharesDays(one, other)))
    .sort((a, b) => (a.start_date === b.start_date ? 0 : a.start_date < b.start_date ? -1 : 1));
  return [
    ...about(
      'days_without_cycle',
      'periods',
      periods.map((period) => ({ ...period })),
    ),
    ...about(
      'ended_cycles',
      'cycles',
      ended.map(({ id, name, end_date, remaining_balance }) => ({
        ...{ id, name, end_date, remaining_balance },
      })),
    ),
    ...about(
      'overlaps_cycle',
      'cycles',
      overlapping.map(({ id, name, start_date, end_date }) => ({
        ...{ id, name, start_date, end_date },
      })),
    ),
  ];
}

/** About completed cycles, and income amounts of cycles that would follow. */
export function completedCycleWarnings(
  household: Household,
  counted: readonly PlannedEntry[],
  to: string,
): ModelWarning[] {
  const { today, cycles } = household;
  const others = cycles.filter(({ side }) => !side);
  const entries = household.entries.filter((entry) => !isOfStatement(household, entry));
  const has = (cycle: StoredCycle, day: string): boolean =>
    cycle.start_date <= day && day <= cycle.end_date;
  const periods: { from: string; to: string }[] = [];
  for (let day = today; day <= to; day = plusDays(day, 1)) {
    const ofDay = others.filter((cycle) => has(cycle, day));
    if (ofDay.length === 0 || ofDay.some(isOpenCycle)) continue;
    const last = periods.at(-1);
    if (last?.to === plusDays(day, -1)) last.to = day;
    else periods.push({ from: day, to: day });
  }
  const keyOf = ({ end_date, start_date }: StoredCycle): string => `${end_date} ${start_date}`;
  const withOpen = cycles
    .filter((cycle) => !isOpenCycle(cycle) && cycle.end_date >= plusDays(today, -400))
    .reverse()
    .sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) > keyOf(b) ? -1 : 1))
    .map(({ id, name }) => {
      const open = entries.filter(
        ({ cycle_id, settled, cancelled }) => cycle_id === id && !settled && !cancelled,
      );
      const ofKind = (kind: string) => open.filter(({ entity_type }) => entity_type === kind);
      const sum = (kind: string): string =>
        money(sumOf(ofKind(kind).map(({ amount_usd }) => cents(amount_usd))));
      return {
        ...{ id, name, expense_count: ofKind('cycle_expense').length },
        expenses: sum('cycle_expense'),
        income_count: ofKind('cycle_income').length,
        incomes: sum('cycle_income'),
      };
    })
    .filter(({ expense_count, income_count }) => expense_count + income_count > 0);
  return [
    ...about('open_in_completed_cycles', 'cycles', withOpen),
    ...repeatedIncome(others, counted),
    ...about(
      'days_in_completed_cycles',
      'periods',
      periods.map((period) => ({ ...period })),
    ),
  ];
}

function repeatedIncome(
  cycles: readonly StoredCycle[],
  counted: readonly PlannedEntry[],
): ModelWarning[] {
  if (!counted.some(({ entity_type }) => entity_type === 'cycle_income')) return [];
  const repeated = counted
    .filter(({ entity_type, id, amount }) => entity_type === 'cycle' && id === null && amount > 0n)
    .map(({ date, amount }) => {
      let followed: StoredCycle | undefined;
      for (const cycle of cycles) {
        if (cycle.end_date < date && cycle.end_date >= (followed?.end_date ?? '')) followed = cycle;
      }
      return { followed, date, amount };
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  for (const { followed } of repeated) {
    const same = repeated.filter((one) => one.followed === followed);
    if (!followed || same.length < 2) continue;
    const { id, name, income_amount } = followed;
    const total = money(sumOf(same.map(({ amount }) => amount)));
    const details = { cycle: { id, name }, income_amount, times: same.length, total };
    return [{ code: 'repeated_income_amount', details }];
  }
  return [];
}
