import type { RecurrenceTexts } from './recurrence.js';

export const ENGLISH_RECURRENCE: RecurrenceTexts = {
  everyDay: 'Every day',
  everyFewDays: 'Every {count} days',
  everyWeek: 'Every {weekday}',
  everySecondWeek: 'Every second {weekday}',
  everyFewWeeks: 'Every {count} weeks on {weekday}',
  everyMonth: 'On the {day} of each month',
  everyMonthEnd: 'On the last day of each month',
  everyFewMonths: 'Every {count} months on the {day}',
  everyFewMonthEnds: 'Every {count} months on the last day',
  someMonths: 'On the {day}, in months that have it',
  everyYear: 'Every year on {date}',
  everyFewYears: 'Every {count} years on {date}',
  other: 'Another interval',
  ordinals: { one: '{number}st', two: '{number}nd', few: '{number}rd', other: '{number}th' },
};
