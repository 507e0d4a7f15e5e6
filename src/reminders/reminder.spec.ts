import { describe, expect, it } from '@jest/globals';
import type { ForecastEntryResponse } from '../forecast/dto/forecast-entry.dto.js';
import type { ForecastResponse } from '../forecast/dto/forecast.dto.js';
import { addDays } from '../platform/values/calendar-date.js';
import { firstBelowZero, reminderOf, type Reminder } from './reminder.js';

/** A Wednesday. */
const TODAY = '2026-11-25';
const YESTERDAY = '2026-11-24';
const MONDAY = '2026-11-23';

type Entry = Pick<ForecastEntryResponse, 'entry_date'> & Partial<ForecastEntryResponse>;

const entryOf = (today: string, fields: Entry): ForecastEntryResponse => ({
  date: fields.entry_date < today ? today : fields.entry_date,
  entity_type: 'cycle_expense',
  id: null,
  cycle_id: null,
  template_id: null,
  occurrence_date: null,
  instalment: null,
  description: 'Water',
  category: 'fixed',
  budget: null,
  payment_method: null,
  currency: 'MXN',
  amount: '385.00',
  amount_usd: '20.97',
  ...fields,
});

interface Values {
  today?: string;
  entries?: readonly Entry[];
  /** Balances by the number of days after today. */
  balances?: Record<number, string>;
  windows?: Partial<ForecastResponse['pay_windows'][number]>[];
}

/** What a reminder reads of a forecast. */
function forecast({
  today = TODAY,
  entries = [],
  balances = {},
  windows,
}: Values): ForecastResponse {
  const days = Array.from({ length: 181 }, (_, day) => ({
    date: addDays(today, day),
    balance: balances[day] ?? '10.00',
  }));
  const values = {
    today,
    to: addDays(today, 180),
    entries: entries.map((entry) => entryOf(today, entry)),
    days,
    pay_windows: windows ?? [
      { from: today, to: addDays(today, 1), free: '152.95' },
      { from: addDays(today, 2), to: addDays(today, 180), free: '700.00' },
    ],
  };
  return values as Partial<ForecastResponse> as ForecastResponse;
}

const NOTHING_KNOWN = { daysBefore: 3, isBelowZeroKnown: false };
const remind = (values: Values, options = NOTHING_KNOWN): Reminder | null =>
  reminderOf(forecast(values), options);

const namesIn = (list: Reminder['due'] | undefined): string[] | undefined =>
  list?.entries.map(({ description }) => description);

describe('when there is a reminder', () => {
  it('says nothing where nothing is due', () => {
    expect(remind({})).toBeNull();
  });

  it.each([0, 1, 3, 14])('is one from %i days before an expense is due', (daysBefore) => {
    const onDay = (days: number): Reminder | null =>
      remind({ entries: [{ entry_date: addDays(TODAY, days) }] }, { ...NOTHING_KNOWN, daysBefore });
    expect(onDay(0)?.due.entries).toHaveLength(1);
    expect(onDay(daysBefore)?.due.entries).toHaveLength(1);
    expect(onDay(daysBefore)?.dueBy).toBe(addDays(TODAY, daysBefore));
    expect(onDay(daysBefore + 1)).toBeNull();
  });

  it.each(['cycle_expense', 'card_statement'] as const)('is one of a %s that is due', (type) => {
    const entry = { entity_type: type, entry_date: TODAY };
    expect(remind({ entries: [entry] })?.due.entries).toHaveLength(1);
  });

  it.each(['cycle', 'budget', 'cycle_income'] as const)('is none of a %s that comes', (type) => {
    expect(remind({ entries: [{ entity_type: type, entry_date: TODAY }] })).toBeNull();
  });

  it.each(['cycle_expense', 'card_statement', 'cycle_income'] as const)(
    'is one on the day on which a %s became overdue or late, and on later Mondays',
    (type) => {
      const onDay = (today: string, date: string): boolean =>
        remind({ today, entries: [{ entity_type: type, entry_date: date }] }) !== null;
      expect(onDay(TODAY, YESTERDAY)).toBe(true);
      const found = [0, 1, 2, 3, 4, 5, 6, 7].map((day) =>
        onDay(addDays(MONDAY, day), '2026-11-20'),
      );
      expect(found).toEqual([true, false, false, false, false, false, false, true]);
    },
  );

  it('is none on a Monday on which nothing is overdue or late', () => {
    const entries = [{ entry_date: addDays(MONDAY, 4) }];
    expect(remind({ today: MONDAY, entries })).toBeNull();
  });

  it('is one where the balance falls below zero within 60 days, unless that is known', () => {
    const known = { ...NOTHING_KNOWN, isBelowZeroKnown: true };
    const balances = { 60: '-0.01' };
    const belowZero = { date: addDays(TODAY, 60), balance: '-0.01' };
    expect(remind({ balances })?.belowZero).toEqual(belowZero);
    expect(remind({ balances }, known)).toBeNull();
    expect(firstBelowZero(forecast({ balances }))).toEqual(belowZero);
    expect(remind({ balances: { 61: '-500.00' } })).toBeNull();
    expect(remind({ balances: { 5: '0.00' } })).toBeNull();
  });
});

describe('what a reminder says', () => {
  const ENTRIES: Entry[] = [
    { entry_date: '2026-11-22', entity_type: 'card_statement', description: 'Card' },
    { entry_date: '2026-11-20', description: 'Water' },
    { entry_date: '2026-11-28', description: 'Gas' },
    { entry_date: '2026-11-25', description: 'Rent' },
    { entry_date: '2026-11-29', description: 'Club' },
    { entry_date: '2026-11-30', entity_type: 'budget', description: 'Groceries' },
    { entry_date: '2026-11-20', entity_type: 'cycle_income', description: 'Shift' },
    { entry_date: '2026-11-27', entity_type: 'cycle_income', description: 'Pay' },
  ];

  it('has all that is overdue, due and late, by date, whatever it is sent for', () => {
    const found = remind({ entries: ENTRIES });
    expect(found).toMatchObject({ today: TODAY, dueBy: '2026-11-28' });
    expect(namesIn(found?.overdue)).toEqual(['Water', 'Card']);
    expect(namesIn(found?.due)).toEqual(['Rent', 'Gas']);
    expect(namesIn(found?.late)).toEqual(['Shift']);
  });

  it('has amounts in the currency of the entries, and their own dates', () => {
    const found = remind({ entries: [{ entry_date: YESTERDAY }] });
    expect(found?.overdue).toEqual({
      entries: [{ entry_date: YESTERDAY, description: 'Water', currency: 'MXN', amount: '385.00' }],
      more: 0,
    });
  });

  it('has the first day below zero, known or not', () => {
    const found = remind(
      { entries: ENTRIES, balances: { 3: '-12.20', 4: '-90.00' } },
      { ...NOTHING_KNOWN, isBelowZeroKnown: true },
    );
    expect(found?.belowZero).toEqual({ date: '2026-11-28', balance: '-12.20' });
    expect(remind({ entries: ENTRIES })?.belowZero).toBeNull();
  });

  it('has what is free until the next pay day', () => {
    expect(remind({ entries: ENTRIES })?.free).toEqual({
      ...{ amount: '152.95', day: '2026-11-27', isPayDay: true },
    });
  });

  it('has what is free until the last day where no pay day comes', () => {
    const windows = [{ from: TODAY, to: '2027-05-24', free: '152.95' }];
    expect(remind({ entries: ENTRIES, windows })?.free).toEqual({
      ...{ amount: '152.95', day: '2027-05-24', isPayDay: false },
    });
  });

  it('lists the 20 latest that are overdue or late, and the 20 first that are due', () => {
    const numbered = (first: string, fields: Partial<Entry>): Entry[] =>
      Array.from({ length: 23 }, (_, n) => ({
        ...{ entry_date: addDays(first, n), description: `${n}`, ...fields },
      }));
    const found = remind(
      {
        entries: [
          ...numbered('2026-11-02', {}),
          ...numbered('2026-11-02', { entity_type: 'cycle_income' }),
          ...numbered(TODAY, { entry_date: TODAY }),
        ],
      },
      { ...NOTHING_KNOWN, daysBefore: 14 },
    );
    for (const list of [found?.overdue, found?.late]) {
      expect(list).toMatchObject({ more: 3 });
      expect(namesIn(list)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 3}`));
    }
    expect(found?.due).toMatchObject({ more: 3 });
    expect(namesIn(found?.due)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
  });

  it('needs the days and entries of the forecast', () => {
    const without = (member: 'days' | 'entries') => (): unknown =>
      reminderOf(Object.assign(forecast({ entries: ENTRIES }), { [member]: null }), NOTHING_KNOWN);
    expect(without('days')).toThrow(RangeError);
    expect(without('entries')).toThrow(RangeError);
  });
});
