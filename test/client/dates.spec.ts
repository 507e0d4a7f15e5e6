import { describe, expect, it } from '@jest/globals';
import { addDays, dayOf, daysBetween, formatDate } from '../../clients/typescript/src/index.js';

describe('dates of the TypeScript client', () => {
  it('the TypeScript client shows the day that a date says, in whatever time zone', () => {
    expect(formatDate('2026-01-25', 'en-US')).toBe('Jan 25, 2026');
    expect(formatDate('2026-01-25', 'es-MX')).toBe('25 ene 2026');
    const long = { weekday: 'long', month: 'long', day: 'numeric' } as const;
    expect(formatDate('2026-02-01', 'es-MX', long)).toBe('domingo, 1 de febrero');
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(formatDate('2026-02-01', 'en-US', { timeZone, dateStyle: 'short' })).toBe('2/1/26');
    }
  });

  it('the TypeScript client adds days, across months, leap days and changes of the clock', () => {
    expect(addDays('2026-01-31', 1)).toBe('2026-02-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2026-03-29', 0)).toBe('2026-03-29');
    expect(addDays('1900-01-01', 401_766)).toBe('2999-12-31');
    expect(() => addDays('2026-01-01', 0.5)).toThrow(RangeError);
  });

  it('the TypeScript client counts the days between dates', () => {
    expect(daysBetween({ from: '2026-02-27', to: '2026-03-01' })).toBe(2);
    expect(daysBetween({ from: '2026-03-01', to: '2026-02-27' })).toBe(-2);
    expect(daysBetween({ from: '2026-03-28', to: '2026-03-30' })).toBe(2);
    expect(daysBetween({ from: '1900-01-01', to: '2999-12-31' })).toBe(401_766);
  });

  it.each(['', '2026-02-30', '2026-13-01', '2026-2-1', '26-02-01', '2026-02-01T00:00:00Z'])(
    'the TypeScript client refuses %j, which is no date',
    (text) => {
      expect(() => formatDate(text, 'en')).toThrow(RangeError);
      expect(() => addDays(text, 1)).toThrow(RangeError);
      expect(() => daysBetween({ from: '2026-01-01', to: text })).toThrow(RangeError);
    },
  );

  it('the TypeScript client has the day of a timestamp in a time zone', () => {
    const timestamp = '2026-02-01T05:59:59.999Z';
    expect(dayOf(timestamp, 'America/Mexico_City')).toBe('2026-01-31');
    expect(dayOf('2026-02-01T06:00:00.000Z', 'America/Mexico_City')).toBe('2026-02-01');
    expect(dayOf(timestamp, 'UTC')).toBe('2026-02-01');
    expect(dayOf('2026-01-31T10:00:00.000Z', 'Pacific/Kiritimati')).toBe('2026-02-01');
    expect(() => dayOf('no timestamp', 'UTC')).toThrow(RangeError);
    expect(() => dayOf(timestamp, 'Nowhere/City')).toThrow(RangeError);
  });
});
