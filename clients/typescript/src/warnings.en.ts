import type { WarningTexts } from './warnings.js';

const INACTIVE_METHOD = 'Recurring entries use payment methods that are not active: {names}.';
const STALE_RATE =
  'Converted at exchange rates more than 35 days old: {names}. Their amounts in dollars may change.';
const BELOW_ZERO = 'The balance falls below zero on {first}. Lowest: {lowest}.';

export const ENGLISH_WARNINGS: WarningTexts = {
  preview: {
    name_taken: 'Another cycle has this name.',
    overlaps_cycle: 'Another cycle has some of these days: {ranges}.',
    gap_to_previous:
      '{days} days between it and the previous cycle, {ranges}, would be in no cycle.',
    inactive_payment_method: INACTIVE_METHOD,
    future_rate: 'Converted at exchange rates later than their dates: {names}.',
    stale_rate: STALE_RATE,
    negative_balance: BELOW_ZERO,
    over_limit: 'More is planned than the limit: {names}.',
  },
  forecast: {
    negative_balance: BELOW_ZERO,
    stale_rate: STALE_RATE,
    inactive_payment_method: INACTIVE_METHOD,
    days_without_cycle: 'No cycle has these days: {ranges}.',
    ended_cycles: 'Cycles that have ended are not completed: {names}.',
    overlaps_cycle: 'These cycles share days: {names}.',
    inactive_balance: 'Balances of payment methods that are not active do not count: {names}.',
    open_in_completed_cycles:
      'Completed cycles have open expenses or incomes, which do not count: {names}.',
    repeated_income_amount:
      'The income amount of {names}, {amount}, counts {times} times in cycles to come: {total} in all.',
    days_in_completed_cycles:
      'Only completed cycles have these days, so nothing counts on them: {ranges}.',
  },
  cases: {
    gapOfOneDay: '1 day between it and the previous cycle, {ranges}, would be in no cycle.',
    belowMinimum: 'The balance falls below the minimum on {first}. Lowest: {lowest}.',
  },
  parts: {
    ofLimit: '{name} ({amount} of {limit})',
    more: '{list} and {count} more',
    others: '{list} and others',
  },
};
