/** The occurrences of a template with their amounts. */
import { Big } from 'big.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { recurrenceOf, type BaseTemplate, type RecurrenceColumns } from './base-template.entity.js';
import {
  lastRuleDate,
  plannedSchedule,
  type PlannedOccurrence,
  type PlannedSchedule,
} from './recurrence/planned-schedule.js';
import type { Period } from './recurrence/recurrence.js';

/** What a template says of amounts and dates; the base amount may be unknown. */
export type OccurrenceColumns<Base extends Big | null = Big> = RecurrenceColumns &
  Pick<BaseTemplate, 'amountChanges' | 'lastAmount'> & { baseAmount: Base };

export interface TemplateOccurrence<Base extends Big | null = Big> extends PlannedOccurrence {
  /** In the currency of the template. */
  amount: Big | Base;
}

export interface TemplateSchedule<Base extends Big | null> extends PlannedSchedule {
  occurrences: TemplateOccurrence<Base>[];
}

/**
 * Every occurrence whose date lies in the period, by date, with its amount: that of the template
 * for its last occurrence, else that in force on its date before the weekend rule; and what the
 * rule and the template leave out.
 */
export function templateSchedule<Base extends Big | null>(
  template: OccurrenceColumns<Base>,
  period: Period,
): TemplateSchedule<Base> {
  const { baseAmount, amountChanges, lastAmount } = template;
  const recurrence = recurrenceOf(template);
  const { occurrences, ...skipped } = plannedSchedule(recurrence, period);
  const lastDate = lastAmount && lastRuleDate(recurrence);
  const amountOn = (ruleDate: CalendarDate): Big | Base => {
    if (lastAmount && ruleDate === lastDate) return lastAmount;
    const amount = amountInForce<string | Base>(baseAmount, amountChanges, ruleDate);
    return typeof amount === 'string' ? new Big(amount) : amount;
  };
  return {
    occurrences: occurrences.map((one) => ({ ...one, amount: amountOn(one.ruleDate) })),
    ...skipped,
  };
}

/** The occurrences of {@link templateSchedule}. */
export const templateOccurrences = (
  template: OccurrenceColumns,
  period: Period,
): TemplateOccurrence[] => templateSchedule(template, period).occurrences;

/**
 * The amount of the latest change that has begun on the date, else the base amount.
 *
 * @param changes ascending by `from`
 */
export const amountInForce = <Amount>(
  baseAmount: Amount,
  changes: readonly { from: CalendarDate; amount: Amount }[],
  date: CalendarDate,
): Amount => changes.findLast(({ from }) => from <= date)?.amount ?? baseAmount;
