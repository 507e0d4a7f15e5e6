import { isStaleRate, MAX_RATE_AGE_DAYS } from '../exchange-rates/rate-age.js';
import { usedRate } from '../ledger/entities/used-rate.js';
import { centsOf, formatCents, formatMoney } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import type { ForecastBalance } from './dto/forecast.dto.js';
import type { Day } from './forecast.js';
import type { ForecastQuery, Plan, PlannedCycle, PlannedEntry } from './plan.js';

export const FORECAST_WARNING_CODES = [
  'negative_balance',
  'stale_rate',
  'inactive_payment_method',
  'days_without_cycle',
  'ended_cycles',
  'overlaps_cycle',
] as const;

export interface ForecastWarning {
  code: (typeof FORECAST_WARNING_CODES)[number];
  message: string;
  /** What the warning is about. */
  details: object;
}

/** The elements of a list in the details. */
const MAX_LISTED = 20;

interface WarningContext {
  plan: Plan;
  days: readonly Day[];
  lowest: Day;
  query: ForecastQuery;
  /** What is generated of it, by the day on which it counts. */
  generated: readonly PlannedEntry[];
}

/** At most one of each code, in the order of {@link FORECAST_WARNING_CODES}. */
export function warningsOf(context: Omit<WarningContext, 'generated'>): ForecastWarning[] {
  const generated = context.days.flatMap(({ entries }) =>
    entries.filter((entry) => entry.generated),
  );
  const all = { ...context, generated };
  return [
    negativeBalance(all),
    staleRate(all),
    inactivePaymentMethod(all),
    daysWithoutCycle(all),
    endedCycles(all),
    overlappingCycles(all),
  ].filter((warning) => warning !== undefined);
}

/** The first elements of a list, as they are shown, and how many more there are. */
const listed = <Element extends object>(
  name: string,
  all: readonly Element[],
  show: (element: Element) => object = (element) => element,
): object => ({
  [name]: all.slice(0, MAX_LISTED).map(show),
  more: Math.max(0, all.length - MAX_LISTED),
});

const balanceOf = ({ date, balance }: Day): ForecastBalance => ({
  date,
  balance: formatCents(balance),
});

function negativeBalance({ days, lowest, query }: WarningContext): ForecastWarning | undefined {
  const minimum = formatMoney(query.minimumBalance);
  const below = days.find(({ balance }) => balance < centsOf(minimum));
  if (!below) return undefined;
  const [first, least] = [balanceOf(below), balanceOf(lowest)];
  return {
    code: 'negative_balance',
    message: `The balance falls below ${minimum} on ${first.date}; its lowest is ${least.balance} on ${least.date}`,
    details: { first, lowest: least },
  };
}

function staleRate({ generated: all, query }: WarningContext): ForecastWarning | undefined {
  const stale = all.filter(({ generated }) => {
    const rateDate = generated?.exchangeRateDate ?? null;
    return rateDate !== null && isStaleRate({ rateDate, day: query.today });
  });
  if (stale.length === 0) return undefined;
  return {
    code: 'stale_rate',
    message: `Amounts are converted by exchange rates more than ${MAX_RATE_AGE_DAYS} days old`,
    details: listed(
      'entries',
      stale,
      ({ entity_type, template_id, description, date, generated }) => ({
        ...{ entity_type, template_id, description, date },
        exchange_rate: generated && usedRate(generated),
      }),
    ),
  };
}

function inactivePaymentMethod({ generated: all }: WarningContext): ForecastWarning | undefined {
  const inactive = new Map<string, { id: string; name: string | null }>();
  for (const { generated, payment_method_id: id, method_name: name } of all) {
    if (id !== null && !generated?.isMethodActive) inactive.set(id, { id, name });
  }
  if (inactive.size === 0) return undefined;
  return {
    code: 'inactive_payment_method',
    message: 'Templates use payment methods that are not active',
    details: listed('payment_methods', [...inactive.values()]),
  };
}

function daysWithoutCycle({ plan }: WarningContext): ForecastWarning | undefined {
  if (plan.gaps.length === 0) return undefined;
  return {
    code: 'days_without_cycle',
    message: 'No cycle has some of the days before the last cycle ends',
    details: listed('periods', plan.gaps),
  };
}

const storedCycles = ({ cycles }: Plan): PlannedCycle[] => cycles.filter(({ id }) => id !== null);

function endedCycles({ plan, query }: WarningContext): ForecastWarning | undefined {
  const ended = storedCycles(plan).filter(({ end_date: end }) => end < query.today);
  if (ended.length === 0) return undefined;
  const latestFirst = ended.toSorted((a, b) => compareText(a.end_date, b.end_date)).reverse();
  return {
    code: 'ended_cycles',
    message: 'Cycles have ended and are not completed yet',
    details: listed('cycles', latestFirst, ({ id, name, end_date, remainingBalance }) => ({
      ...{ id, name, end_date, remaining_balance: remainingBalance },
    })),
  };
}

/** The cycles that share days of the forecast. */
function overlappingCycles({ plan, query }: WarningContext): ForecastWarning | undefined {
  const { today, to } = query;
  const overlapping = new Set<PlannedCycle>();
  let last: PlannedCycle | undefined;
  // By start date: one that shares days with an earlier one shares them with the one that ends last.
  for (const cycle of storedCycles(plan)) {
    if (cycle.end_date < today || cycle.start_date > to) continue;
    const start = cycle.start_date < today ? today : cycle.start_date;
    if (last && last.end_date >= start) overlapping.add(last).add(cycle);
    if (!last || cycle.end_date > last.end_date) last = cycle;
  }
  if (overlapping.size === 0) return undefined;
  const cycles = storedCycles(plan)
    .filter((cycle) => overlapping.has(cycle))
    .map(({ id, name, start_date, end_date }) => ({ id, name, start_date, end_date }));
  return {
    code: 'overlaps_cycle',
    message: 'Cycles share days',
    details: listed('cycles', cycles),
  };
}
