/**
 * Writes iCalendar files (RFC 5545) with all-day events; docs/decisions/0017 says why no library
 * does it.
 */

export interface CalendarEvent {
  uid: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** ISO 8601 in UTC; without fractions of a second. */
  changedAt: string;
  summary: string;
  description: string;
  status: 'TENTATIVE' | 'CONFIRMED';
  /** How many days before the event, at 09:00, an alarm is; null: no alarm. */
  alarmDays: number | null;
}

/** Octets of a line without its end (section 3.1). */
const MAX_LINE_OCTETS = 75;

/** Line breaks of any kind; readers do not agree on those of Unicode. */
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Control characters, which a value must not contain. */
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** The beginning of a calendar with this name. */
export const beginCalendar = (name: string): string =>
  textOf([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//expense-service//calendar//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    // Most clients read this property instead of NAME (RFC 7986).
    `X-WR-CALNAME:${escapeText(name)}`,
  ]);

export const writeEvents = (events: readonly CalendarEvent[]): string =>
  textOf(events.flatMap(linesOf));

export const endCalendar = (): string => textOf(['END:VCALENDAR']);

const textOf = (lines: readonly string[]): string =>
  lines.map((line) => `${fold(line)}\r\n`).join('');

function linesOf(event: CalendarEvent): string[] {
  const timestamp = `${event.changedAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    // DTSTAMP is the time of the last change, as there is no METHOD (section 3.8.7.2).
    `DTSTAMP:${timestamp}`,
    `LAST-MODIFIED:${timestamp}`,
    `DTSTART;VALUE=DATE:${event.date.replaceAll('-', '')}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `STATUS:${event.status}`,
    // An event does not make its day busy.
    'TRANSP:TRANSPARENT',
    ...alarmOf(event),
    'END:VEVENT',
  ];
}

function alarmOf({ summary, alarmDays }: CalendarEvent): string[] {
  if (alarmDays === null) return [];
  return [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(summary)}`,
    // The alarm is at 09:00, counted from the beginning of the day of the event.
    `TRIGGER:${alarmDays === 0 ? 'PT9H' : `-P${alarmDays - 1}DT15H`}`,
    'END:VALARM',
  ];
}

/** A value of type TEXT (section 3.3.11). */
export function escapeText(text: string): string {
  return text
    .replaceAll(LINE_BREAKS, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

/**
 * Splits a line that is too long between characters; a continuation begins with a space, which
 * counts.
 */
export function fold(line: string): string {
  const octets = Buffer.from(line);
  if (octets.length <= MAX_LINE_OCTETS) return line;
  const parts: string[] = [];
  for (
    let start = 0, end = MAX_LINE_OCTETS;
    start < octets.length;
    end = start + MAX_LINE_OCTETS - 1
  ) {
    while (isWithinCharacter(octets[end])) end -= 1;
    parts.push(octets.toString('utf8', start, end));
    start = end;
  }
  return parts.join('\r\n ');
}

/** Whether an octet of UTF-8 continues a character. */
const isWithinCharacter = (octet = 0): boolean => octet >> 6 === 0b10;
