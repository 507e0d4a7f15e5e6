import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { addDays, dateOfInstant } from './calendar-date.js';
import { dayIn, isTimeZone, startOfDay, todayIn } from './time-zone.js';

/** Zones with summer time, without, with large offsets, and with one of 45 minutes. */
const ZONES = [
  'UTC',
  'America/Mexico_City',
  'America/New_York',
  'Europe/Madrid',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];

/** Instants after the last change that set clocks back over midnight, so that a day came twice. */
const anyInstant = fc.date({
  min: new Date('2012-01-01T00:00:00Z'),
  max: new Date('2037-12-31T00:00:00Z'),
  noInvalidDate: true,
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the name of a time zone', () => {
  it.each([
    ...ZONES,
    ...['america/mexico_city', 'Etc/UTC', 'Etc/GMT+5', 'US/Pacific', 'Europe/Kyiv'],
    'America/Argentina/ComodRivadavia',
  ])('the name of a time zone may be %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    ...['', ' ', 'utc', 'GMT', 'EST', 'CST6CDT', 'Z', 'local', 'Mexico_City', '/', 'America/'],
    ...['+05:00', '-06:00', '-0600', 'UTC+1', 'UTC/', 'America/Nowhere', ' America/Mexico_City'],
    ...['America/Mexico_City\0', 'Etc/GMT+99', `America/${'x'.repeat(60)}`],
    ...[undefined, null, 5, true, ['UTC'], { timeZone: 'UTC' }],
  ])('the name of a time zone is not %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe('a day in a time zone', () => {
  it.each([
    ['UTC', '2026-02-10T23:59:59.999Z', '2026-02-10'],
    ['UTC', '2026-02-11T00:00:00.000Z', '2026-02-11'],
    ['America/Mexico_City', '2026-02-11T05:59:59.999Z', '2026-02-10'],
    ['America/Mexico_City', '2026-02-11T06:00:00.000Z', '2026-02-11'],
    ['america/mexico_city', '2026-02-11T05:59:59.999Z', '2026-02-10'],
    ['Pacific/Kiritimati', '2026-02-10T09:59:59.999Z', '2026-02-10'],
    ['Pacific/Kiritimati', '2026-02-10T10:00:00.000Z', '2026-02-11'],
    ['Etc/GMT+12', '2026-02-11T11:59:59.999Z', '2026-02-10'],
    ['Asia/Kathmandu', '2026-02-10T18:15:00.000Z', '2026-02-11'],
    // Summer time begins on 29 March and ends on 25 October.
    ['Europe/Madrid', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['Europe/Madrid', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Madrid', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Madrid', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Europe/Madrid', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Madrid', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['UTC', '0999-12-31T12:00:00.000Z', '0999-12-31'],
    ['America/Mexico_City', '2999-12-31T12:00:00.000Z', '2999-12-31'],
  ])('a day in a time zone: in %s at %s it is %s', (timeZone, instant, day) => {
    expect(dayIn(timeZone, new Date(instant))).toBe(day);
  });

  it('a day in a time zone is at most one before or after that in UTC', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), anyInstant, (timeZone, instant) => {
        const inUtc = dateOfInstant(instant);
        expect([addDays(inUtc, -1), inUtc, addDays(inUtc, 1)]).toContain(dayIn(timeZone, instant));
      }),
    );
  });

  it('a day in a time zone is the current one by the clock that tests set', () => {
    jest.useFakeTimers({ now: new Date('2026-02-11T05:59:59.999Z') });
    expect(todayIn('America/Mexico_City')).toBe('2026-02-10');
    jest.setSystemTime(new Date('2026-02-11T06:00:00.000Z'));
    expect(todayIn('America/Mexico_City')).toBe('2026-02-11');
  });

  it('a day in a time zone that Intl does not know is that in UTC, with one warning', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const instant = new Date('2026-02-10T23:59:59.999Z');
    for (const name of ['America/Forgotten', 'Forgotten', '+14:00', 'America/Forgotten']) {
      expect(dayIn(name, instant)).toBe('2026-02-10');
    }
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('America/Forgotten')],
      [expect.stringContaining(' Forgotten')],
      [expect.stringContaining('+14:00')],
    ]);
  });

  it('a day in a time zone is warned of once, also after many others', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const names = Array.from({ length: 300 }, (_, number) => `Nowhere/${number}`);
    for (const name of [...names, ...names]) dayIn(name, new Date());
    // The warnings are those of the first names, together with those of other tests.
    const messages = warn.mock.calls.map(String);
    expect(new Set(messages).size).toBe(messages.length);
    expect(messages.length).toBeLessThanOrEqual(100);
  });

  it('a day in a time zone needs the zone: no value is taken for that of the machine', () => {
    const nothing = undefined as unknown as string;
    expect(() => dayIn(nothing, new Date())).toThrow(TypeError);
  });
});

describe('the start of a day', () => {
  it.each([
    ['UTC', '2026-02-10', '2026-02-10T00:00:00Z'],
    ['America/Mexico_City', '2026-02-10', '2026-02-10T06:00:00Z'],
    ['Pacific/Kiritimati', '2026-02-10', '2026-02-09T10:00:00Z'],
    ['Etc/GMT+12', '2026-02-10', '2026-02-10T12:00:00Z'],
    ['Asia/Kathmandu', '2026-02-10', '2026-02-09T18:15:00Z'],
    ['Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Madrid', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00Z'],
    ['Europe/Madrid', '2026-10-26', '2026-10-25T23:00:00Z'],
    // Clocks are set forward and back at midnight there.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00Z'],
    // The zone had no such day.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
    // Local mean time, in seconds.
    ['America/Mexico_City', '1900-01-01', '1900-01-01T06:36:36Z'],
    ['America/Forgotten', '2026-02-10', '2026-02-10T00:00:00Z'],
  ])('the start of a day: in %s %s begins at %s', (timeZone, day, instant) => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    expect(startOfDay(timeZone, day)).toEqual(new Date(instant));
  });

  it('the start of a day is its first second', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), anyInstant, (timeZone, instant) => {
        const day = dayIn(timeZone, instant);
        const start = startOfDay(timeZone, day);
        expect(dayIn(timeZone, start)).toBe(day);
        expect(dayIn(timeZone, new Date(start.getTime() - 1))).toBe(addDays(day, -1));
      }),
    );
  });
});
