import type { FieldErrors, FieldReason } from '../platform/errors/field-reasons.js';
import type { WeekendRule } from '../platform/values/weekend-rule.js';

/** What is known of the statements of a payment method. */
interface StatementMembers {
  methodType: string;
  closingDay: number | null;
  dueDay: number | null;
  dueDaysAfter: number | null;
  dueWeekendRule: WeekendRule;
  autopay: boolean;
}

/** How the members of a payment method that concern statements contradict each other. */
export function statementErrors(method: StatementMembers): FieldErrors {
  const { methodType, closingDay, dueDay, dueDaysAfter, dueWeekendRule, autopay } = method;
  const errors: FieldErrors = {};
  const add = (field: string, reason: FieldReason, problem: string): void => {
    errors[field] = [{ reason, message: `${field} ${problem}` }];
  };
  if (closingDay === null) {
    const needs = 'requires closing_day';
    if (dueDay !== null) add('due_day', 'contradiction', needs);
    if (dueDaysAfter !== null) add('due_days_after', 'contradiction', needs);
    if (dueWeekendRule !== 'keep') add('due_weekend_rule', 'contradiction', needs);
    if (autopay) add('autopay', 'contradiction', needs);
    return errors;
  }
  if (methodType !== 'credit') {
    add('closing_day', 'not_an_option', 'is only for a payment method of the type credit');
  }
  if (dueDay !== null && dueDaysAfter !== null) {
    add('due_days_after', 'contradiction', 'contradicts due_day');
  }
  if (dueDay === null && dueDaysAfter === null) {
    add('due_day', 'required', 'or due_days_after is required with closing_day');
  }
  return errors;
}
