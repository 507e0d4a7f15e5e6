import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import {
  beginCalendar,
  endCalendar,
  escapeText,
  fold,
  writeEvents,
  type CalendarEvent,
} from './icalendar.js';

const EVENT: CalendarEvent = {
  uid: 'e9b2d6f8-15a0-4b3c-a7d6-6b5a49382706',
  date: '2026-02-28',
  changedAt: '2026-01-26T02:11:09.000Z',
  summary: 'Súper 812.35 MXN',
  description: 'Payment method: Card\nStatus: pending',
  status: 'CONFIRMED',
  alarmDays: null,
};

const fileOf = (name: string, ...events: CalendarEvent[]): string =>
  beginCalendar(name) + writeEvents(events) + endCalendar();

describe('a calendar', () => {
  it('a calendar has every event once, however many there are', () => {
    const uids = Array.from({ length: 1001 }, (_, n) => `event-${n}`);
    const text = fileOf('Casa', ...uids.map((uid) => ({ ...EVENT, uid })));
    expect(Array.from(text.matchAll(/^UID:(.*)\r$/gm), ([, uid]) => uid)).toEqual(uids);
  });

  it('a calendar has its name and the events', () => {
    expect(fileOf('Casa; a, b', EVENT).split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//expense-service//calendar//EN',
      'CALSCALE:GREGORIAN',
      String.raw`NAME:Casa\; a\, b`,
      String.raw`X-WR-CALNAME:Casa\; a\, b`,
      'BEGIN:VEVENT',
      'UID:e9b2d6f8-15a0-4b3c-a7d6-6b5a49382706',
      'DTSTAMP:20260126T021109Z',
      'LAST-MODIFIED:20260126T021109Z',
      'DTSTART;VALUE=DATE:20260228',
      'SUMMARY:Súper 812.35 MXN',
      String.raw`DESCRIPTION:Payment method: Card\nStatus: pending`,
      'STATUS:CONFIRMED',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it.each([
    [0, 'PT9H', '2026-02-28T09:00:00'],
    [1, '-P0DT15H', '2026-02-27T09:00:00'],
    [2, '-P1DT15H', '2026-02-26T09:00:00'],
    [30, '-P29DT15H', '2026-01-29T09:00:00'],
  ])('a calendar has an alarm %i days before an event', (alarmDays, trigger, time) => {
    const written = fileOf('Casa', { ...EVENT, summary: 'Luz; agua', alarmDays });
    expect(written).toContain(
      [
        'TRANSP:TRANSPARENT',
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        String.raw`DESCRIPTION:Luz\; agua`,
        `TRIGGER:${trigger}`,
        'END:VALARM',
        'END:VEVENT',
      ].join('\r\n'),
    );
    const calendar = new ICAL.Component(ICAL.parse(written) as unknown[]);
    const event = calendar.getFirstSubcomponent('vevent');
    const alarm = event?.getFirstSubcomponent('valarm');
    const start = event?.getFirstPropertyValue('dtstart') as ICAL.Time;
    start.isDate = false;
    start.addDuration(alarm?.getFirstPropertyValue('trigger') as ICAL.Duration);
    expect(start.toString()).toBe(time);
  });

  it('a calendar is read as it was written, whatever the text', () => {
    const special = fc.constantFrom('\\', ';', ',', '\n', '\\n', ':', '"', 'END:VEVENT', 'é', '😀');
    const text = fc
      .array(fc.oneof(special, fc.string({ unit: 'grapheme' })), { maxLength: 60 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, (name, summary, description) => {
        const written = fileOf(name, { ...EVENT, summary, description });
        for (const line of written.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
        }
        const calendar = new ICAL.Component(ICAL.parse(written) as unknown[]);
        const [event] = calendar.getAllSubcomponents('vevent');
        const valueOf = (from: ICAL.Component | undefined, property: string): unknown =>
          from?.getFirstPropertyValue(property);
        // This reader leaves the value of an X- property as it is written.
        expect([
          valueOf(calendar, 'x-wr-calname'),
          valueOf(event, 'summary'),
          valueOf(event, 'description'),
          calendar.getAllSubcomponents().length,
        ]).toEqual([escapeText(name), storable(summary), storable(description), 1]);
      }),
    );
  });
});

/** Text as a calendar can have it. */
const storable = (text: string): string =>
  text
    .replaceAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '');

describe('escapeText', () => {
  it.each([
    ['a\r\nb\rc\nd\ve\ff\u0085g\u2028h\u2029i', String.raw`a\nb\nc\nd\ne\nf\ng\nh\ni`],
    ['\0\u0001\u0008\u000e\u001b\u007f\u0080\u009f', ''],
    ['a\tb', 'a\tb'],
    [String.raw`\n;,:"`, String.raw`\\n\;\,:"`],
  ])('escapeText escapes the text %j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });
});

describe('fold', () => {
  it('fold counts octets, and does not divide a character', () => {
    expect(fold('x'.repeat(75))).toBe('x'.repeat(75));
    expect(fold('x'.repeat(150))).toBe(`${'x'.repeat(75)}\r\n ${'x'.repeat(74)}\r\n x`);
    expect(fold(`${'x'.repeat(74)}é`)).toBe(`${'x'.repeat(74)}\r\n é`);
    expect(fold(`${'x'.repeat(72)}😀y`)).toBe(`${'x'.repeat(72)}\r\n 😀y`);
    expect(fold(`${'x'.repeat(71)}😀y`)).toBe(`${'x'.repeat(71)}😀\r\n y`);
  });
});
