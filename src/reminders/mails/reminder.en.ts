import type { ReminderText } from './reminder.js';

export const ENGLISH: ReminderText = {
  locale: 'en-US',
  longMonth: 'short',
  money: (number, currency) => (currency === 'USD' ? `$${number}` : `${number} MXN`),
  counts: {
    overdue: (count) => `${count} overdue`,
    due: (count, day) => `${count} due ${day === null ? 'today' : `by ${day}`}`,
    late: (count) =>
      count === 1 ? '1 income has not arrived' : `${count} incomes have not arrived`,
    belowZero: (day) => (day === null ? 'below zero today' : `below zero on ${day}`),
  },
  free: (amount, day) => [`You can spend ${amount} until ${day},`, 'your next pay day.'],
  freeWithoutPayDay: (amount, day) => [
    `You can spend ${amount} until ${day},`,
    'the end of the plan.',
  ],
  belowZero: (balance, day) =>
    day === null
      ? ['Your balance falls below zero today:', `the plan leaves ${balance}.`]
      : [`Your balance falls below zero on ${day}:`, `that day the plan leaves ${balance}.`],
  headings: {
    overdue: 'Overdue',
    due: (day) => (day === null ? 'Due today' : `Due by ${day}`),
    late: 'Not arrived, and not counted in what you can spend',
  },
  more: (count) => `and ${count} more`,
  turnedOn: (time, days) => `You turned on reminders from ${time}, ${daysBefore(days)}.`,
  turnOff: 'Turn them off:',
  turnOffInSettings: 'Turn them off in the settings.',
};

const daysBefore = (days: number): string =>
  days === 0 ? 'on the day' : `${days} ${days === 1 ? 'day' : 'days'} before`;
