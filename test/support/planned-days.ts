/** A reference implementation of what templates plan, which shares no code with the service. */
import type { Period, Recurrence } from '../../src/templates/recurrence/recurrence.js';
import { dayAt, dayNumber, dueDays } from './due-days.js';

/** What a template says of its occurrences. */
export interface PlannedTemplate {
  recurrence: Recurrence;
  base_amount: string;
  amount_changes: readonly { from: string; amount: string }[];
  last_amount: string | null;
  skipped_dates: readonly string[];
}

export interface PlannedDay {
  date: string;
  ruleDate: string;
  amount: string;
  instalment: { number: number; count: number } | null;
}

/** Days before the end in which every rule of the tests has occurrences that are not skipped. */
const LONG_BEFORE = 1500;

/** The occurrences of a template in a period: those of the whole plan are looked at one by one. */
export function plannedDays(template: PlannedTemplate, period: Period): PlannedDay[] {
  const { recurrence, base_amount, last_amount } = template;
  const { startsOn, endsOn, rule } = recurrence;
  const plannedIn = (days: Period): { date: string; ruleDate: string }[] =>
    dueDays(recurrence, days).filter(({ ruleDate }) => !template.skipped_dates.includes(ruleDate));
  const wholePlan =
    endsOn === null
      ? []
      : plannedIn({ start: startsOn ?? dayAt(dayNumber(endsOn) - LONG_BEFORE).date, end: endsOn });
  const isByMonth =
    rule.type === 'monthly' || (rule.type === 'custom' && rule.config.unit === 'months');
  const isInInstalments = isByMonth && startsOn !== null && wholePlan.length <= 120;
  const last = wholePlan.at(-1)?.ruleDate;
  return plannedIn(period).map(({ date, ruleDate }) => {
    let amount = base_amount;
    for (const change of template.amount_changes)
      if (change.from <= ruleDate) amount = change.amount;
    if (last_amount !== null && ruleDate === last) amount = last_amount;
    const index = wholePlan.findIndex((one) => one.ruleDate === ruleDate);
    const instalment =
      isInInstalments && index >= 0 ? { number: index + 1, count: wholePlan.length } : null;
    return { date, ruleDate, amount, instalment };
  });
}
