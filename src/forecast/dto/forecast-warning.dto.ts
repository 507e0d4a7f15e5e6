import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Holding } from '../../balances/holdings.js';
import { MAX_RATE_AGE_DAYS } from '../../exchange-rates/rate-age.js';
import { usedRate } from '../../ledger/entities/used-rate.js';
import {
  DateProperty,
  EnumProperty,
  MoneyProperty,
  TextProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { formatCents, formatMoney } from '../../platform/values/money.js';
import type { OpenInCompleted } from '../completed-cycles.queries.js';
import type { Balance, Forecast } from '../forecast.js';
import type { StoredCycle } from '../planned-cycle.js';
import type { PlannedEntry } from '../planned-entry.js';

const FORECAST_WARNING_CODES = [
  'negative_balance',
  'stale_rate',
  'inactive_payment_method',
  'days_without_cycle',
  'ended_cycles',
  'overlaps_cycle',
  'open_in_completed_cycles',
  'repeated_income_amount',
  'days_in_completed_cycles',
  'inactive_balance',
] as const;
type ForecastWarningCode = (typeof FORECAST_WARNING_CODES)[number];

/** The elements of a list in the details. */
const MAX_LISTED = 20;

@ApiSchema({ description: 'A balance at the end of a day' })
export class ForecastBalance {
  @DateProperty({ example: '2026-02-28', description: 'The day' })
  date!: CalendarDate;

  @MoneyProperty({ example: '-312.20', description: 'At its end' })
  balance!: string;
}

@ApiSchema({ description: 'Something that the user may want to know about a forecast' })
export class ForecastWarningResponse {
  @EnumProperty(FORECAST_WARNING_CODES, 'ForecastWarningCode', {
    example: 'negative_balance',
    description: 'Stable; for programs',
  })
  code!: ForecastWarningCode;

  @TextProperty({
    example: 'The balance falls below 0.00 on 2026-02-20; its lowest is -312.20 on 2026-02-28',
    description: 'For people; may change',
  })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'What the warning is about: the `first` day below `minimum_balance` and the `lowest` one; the `cycle` of an ' +
      '`income_amount` that is repeated, how many `times` it counts, and the `total`; or a list (`entries`, ' +
      '`payment_methods`, `periods` or `cycles`) of at most 20 elements, and how many `more` there are',
    example: {
      first: { date: '2026-02-20', balance: '-12.20' },
      lowest: { date: '2026-02-28', balance: '-312.20' },
    },
  })
  details!: object;
}

/** The warnings of a forecast, at most one of each code, in the order of the codes. */
export const toWarningResponses = (forecast: Forecast): ForecastWarningResponse[] => [
  ...negativeBalance(forecast),
  ...listWarning('stale_rate', {
    message: `Amounts are converted by exchange rates more than ${MAX_RATE_AGE_DAYS} days old`,
    list: 'entries',
    elements: forecast.warnings.staleEntries,
    show: toStaleEntry,
  }),
  ...listWarning('inactive_payment_method', {
    message: 'Templates use payment methods that are not active',
    list: 'payment_methods',
    elements: forecast.warnings.inactiveMethods,
    show: ({ id, name }) => ({ id, name }),
  }),
  ...listWarning('days_without_cycle', {
    message: 'No cycle has some of the days before the last cycle ends',
    list: 'periods',
    elements: forecast.warnings.gaps,
    show: ({ from, to }) => ({ from, to }),
  }),
  ...listWarning('ended_cycles', {
    message: 'Cycles have ended and are not completed yet',
    list: 'cycles',
    elements: forecast.warnings.endedCycles,
    show: toEndedCycle,
  }),
  ...listWarning('overlaps_cycle', {
    message: 'Cycles share days',
    list: 'cycles',
    elements: forecast.warnings.overlappingCycles,
    show: toCycleDays,
  }),
  ...listWarning('open_in_completed_cycles', {
    message: 'Completed cycles have open expenses or incomes, which count in no forecast',
    list: 'cycles',
    elements: forecast.warnings.openInCompleted,
    show: toOpenInCompleted,
  }),
  ...repeatedIncomeAmount(forecast),
  ...listWarning('days_in_completed_cycles', {
    message: 'Only completed cycles have some of the days: their pay and bills are in no forecast',
    list: 'periods',
    elements: forecast.warnings.completedDays,
    show: ({ from, to }) => ({ from, to }),
  }),
  ...listWarning('inactive_balance', {
    message: 'Payment methods that are not active have a balance, which counts nowhere',
    list: 'payment_methods',
    elements: forecast.warnings.inactiveHoldings,
    show: toInactiveBalance,
  }),
];

function negativeBalance({ query, lowest, warnings }: Forecast): ForecastWarningResponse[] {
  if (!warnings.firstBelowMinimum) return [];
  const minimum = formatCents(query.minimumBalance);
  const [first, least] = [toForecastBalance(warnings.firstBelowMinimum), toForecastBalance(lowest)];
  const message = `The balance falls below ${minimum} on ${first.date}; its lowest is ${least.balance} on ${least.date}`;
  return [{ code: 'negative_balance', message, details: { first, lowest: least } }];
}

function repeatedIncomeAmount({ warnings }: Forecast): ForecastWarningResponse[] {
  if (!warnings.repeatedIncome) return [];
  const { cycle, times, total } = warnings.repeatedIncome;
  const income_amount = formatCents(cycle.incomeAmount);
  const message = `The income amount of ${cycle.name} counts for ${times} cycles that would follow, and incomes count too`;
  const { id, name } = cycle;
  const details = { cycle: { id, name }, income_amount, times, total: formatCents(total) };
  return [{ code: 'repeated_income_amount', message, details }];
}

/** A warning about the first elements of a list, and how many more there are; none if it is empty. */
function listWarning<Element>(
  code: ForecastWarningCode,
  {
    message,
    list,
    elements,
    show,
  }: {
    message: string;
    list: string;
    elements: readonly Element[];
    show: (element: Element) => object;
  },
): ForecastWarningResponse[] {
  if (elements.length === 0) return [];
  const shown = elements.slice(0, MAX_LISTED).map(show);
  return [{ code, message, details: { [list]: shown, more: elements.length - shown.length } }];
}

const toStaleEntry = (entry: PlannedEntry): object => ({
  entity_type: entry.type,
  template_id: entry.templateId,
  description: entry.description,
  date: entry.date,
  exchange_rate: entry.generated && usedRate(entry.generated),
});

const toEndedCycle = ({ id, name, endDate, remainingBalance }: StoredCycle): object => ({
  id,
  name,
  end_date: endDate,
  remaining_balance: formatCents(remainingBalance),
});

const toOpenInCompleted = (cycle: OpenInCompleted): object => ({
  id: cycle.id,
  name: cycle.name,
  expense_count: cycle.expenseCount,
  expenses: formatCents(cycle.expenses),
  income_count: cycle.incomeCount,
  incomes: formatCents(cycle.incomes),
});

const toCycleDays = ({ id, name, startDate, endDate }: StoredCycle): object => ({
  id,
  name,
  start_date: startDate,
  end_date: endDate,
});

const toInactiveBalance = ({ paymentMethod: { id, name }, amount }: Holding): object => ({
  id,
  name,
  amount: formatMoney(amount),
});

export const toForecastBalance = ({ date, balance }: Balance): ForecastBalance => ({
  date,
  balance: formatCents(balance),
});
