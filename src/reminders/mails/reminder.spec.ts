import { describe, expect, it } from '@jest/globals';
import { addDays } from '../../platform/values/calendar-date.js';
import type { Reminder, ReminderEntry, ReminderList } from '../reminder.js';
import { reminderMail } from './reminder.js';

const UNSUBSCRIBE = 'https://api.planner.example.com/account/reminders/unsubscribe?token=…';
const ADDRESSES = { page: 'https://planner.example.com', unsubscribeUrl: UNSUBSCRIBE };
const NO_ADDRESSES = { page: undefined, unsubscribeUrl: undefined };

const listOf = (...entries: ReminderEntry[]): ReminderList => ({ entries, more: 0 });
const NONE = listOf();

const entry = (
  entry_date: string,
  description: string,
  amount: string,
  currency: 'USD' | 'MXN' = 'MXN',
): ReminderEntry => ({ entry_date, description, currency, amount });

const reminder = (fields: Partial<Reminder> = {}): Reminder => ({
  today: '2026-11-25',
  dueBy: '2026-11-28',
  overdue: NONE,
  due: NONE,
  late: NONE,
  belowZero: null,
  free: { amount: '152.95', day: '2026-11-27', isPayDay: true },
  ...fields,
});

/** What is drawn, in a language. */
const drawn = (names: Record<'water' | 'power' | 'savings' | 'gas' | 'shift', string>): Reminder =>
  reminder({
    overdue: listOf(entry('2026-11-20', names.water, '385.00')),
    due: listOf(
      entry('2026-11-26', names.power, '1240.00'),
      entry('2026-11-27', names.savings, '120.00', 'USD'),
      entry('2026-11-28', names.gas, '620.00'),
    ),
    late: listOf(entry('2026-11-20', names.shift, '164.00', 'USD')),
  });

const IN_ENGLISH = drawn({
  ...{ water: 'Water', power: 'Electricity', savings: 'Savings', gas: 'Gas cylinder' },
  shift: 'Paycheck, extra shift',
});

const user = (
  locale: string,
  { hour: remindersHour, daysBefore: remindersDaysBefore } = { hour: 8, daysBefore: 3 },
): Parameters<typeof reminderMail>[0] => ({
  ...{ email: 'lucia@example.com', locale, remindersHour, remindersDaysBefore },
});

const mailOf = (locale: string, fields: Partial<Reminder>): ReturnType<typeof reminderMail> =>
  reminderMail(user(locale), reminder(fields), NO_ADDRESSES);

describe('the mail of a reminder', () => {
  it('is as drawn, in English', () => {
    expect(reminderMail(user('en-GB'), IN_ENGLISH, ADDRESSES)).toEqual({
      to: 'lucia@example.com',
      subject: '1 overdue, 3 due by Sat 28 Nov',
      unsubscribeUrl: UNSUBSCRIBE,
      text: `You can spend $152.95 until Friday 27 Nov,
your next pay day.

Overdue
  Fri 20 Nov  Water                         385.00 MXN

Due by Saturday 28 Nov
  Thu 26 Nov  Electricity                 1,240.00 MXN
  Fri 27 Nov  Savings                          $120.00
  Sat 28 Nov  Gas cylinder                  620.00 MXN

Not arrived, and not counted in what you can spend
  Fri 20 Nov  Paycheck, extra shift            $164.00

https://planner.example.com

You turned on reminders from 8:00, 3 days before.
Turn them off:
${UNSUBSCRIBE}
`,
    });
  });

  it('is as drawn, in Spanish', () => {
    const inSpanish = drawn({
      ...{ water: 'Agua', power: 'Luz', savings: 'Ahorro', gas: 'Tanque de gas' },
      shift: 'Pago, turno extra',
    });
    expect(reminderMail(user('es-MX'), inSpanish, ADDRESSES)).toEqual({
      to: 'lucia@example.com',
      subject: '1 vencido, 3 por pagar hasta el sáb 28 nov',
      unsubscribeUrl: UNSUBSCRIBE,
      text: `Puedes gastar US$152.95 hasta que te paguen,
el viernes 27 de noviembre.

Vencido
  Vie 20 nov  Agua                         $385.00 MXN

Por pagar hasta el sábado 28 de noviembre
  Jue 26 nov  Luz                        $1,240.00 MXN
  Vie 27 nov  Ahorro                         US$120.00
  Sáb 28 nov  Tanque de gas                $620.00 MXN

No ha llegado, y no se cuenta en lo que puedes gastar
  Vie 20 nov  Pago, turno extra              US$164.00

https://planner.example.com

Activaste los recordatorios: 8:00, 3 días antes.
Desactívalos:
${UNSUBSCRIBE}
`,
    });
  });

  it('writes days and numbers as the locale, in its language or else in English', () => {
    const linesIn = (locale: string): string[] =>
      reminderMail(user(locale), IN_ENGLISH, NO_ADDRESSES).text.split('\n');
    const electricity = (locale: string): string | undefined =>
      linesIn(locale).find((line) => line.includes('Electricity'));
    expect(linesIn('en-US')[0]).toBe('You can spend $152.95 until Friday Nov 27,');
    expect(electricity('en-US')).toBe('  Thu Nov 26  Electricity                 1,240.00 MXN');
    expect(electricity('es-ES')).toBe('  Jue 26 nov  Electricity                 $1240,00 MXN');
    for (const locale of ['de-DE', 'en_GB', 'xx', '', 'fr', 'en-SA', '\n']) {
      expect(linesIn(locale)).toEqual(linesIn('en-US'));
    }
    for (const locale of ['es', 'ES', 'es_MX', 'español', 'est']) {
      expect(linesIn(locale)[0]).toBe('Puedes gastar US$152.95 hasta que te paguen,');
    }
  });

  it('keeps columns where the names of months differ in width', () => {
    const { text } = mailOf('en-GB', {
      dueBy: '2026-10-01',
      due: listOf(entry('2026-09-30', 'Rent', '1.00'), entry('2026-10-01', 'Gas', '2.00', 'USD')),
    });
    expect(text).toContain(`Due by Thursday 1 Oct
  Wed 30 Sept  Rent                           1.00 MXN
  Thu 1 Oct    Gas                               $2.00
`);
  });

  it.each([
    ['en-GB', { hour: 8, daysBefore: 0 }, 'You turned on reminders from 8:00, on the day.'],
    ['en-GB', { hour: 0, daysBefore: 1 }, 'You turned on reminders from 0:00, 1 day before.'],
    ['en-GB', { hour: 23, daysBefore: 14 }, 'You turned on reminders from 23:00, 14 days before.'],
    ['es-MX', { hour: 8, daysBefore: 0 }, 'Activaste los recordatorios: 8:00, el mismo día.'],
    ['es-MX', { hour: 0, daysBefore: 1 }, 'Activaste los recordatorios: 0:00, 1 día antes.'],
    ['es-MX', { hour: 23, daysBefore: 14 }, 'Activaste los recordatorios: 23:00, 14 días antes.'],
  ])('says in %s what %j is, and how to end it', (locale, settings, line) => {
    const end = (addresses: typeof ADDRESSES | typeof NO_ADDRESSES): string[] =>
      reminderMail(user(locale, settings), reminder(), addresses).text.split('\n').slice(2);
    const inSettings =
      locale === 'en-GB' ? 'Turn them off in the settings.' : 'Desactívalos en los ajustes.';
    const here = locale === 'en-GB' ? 'Turn them off:' : 'Desactívalos:';
    expect(end(NO_ADDRESSES)).toEqual(['', line, inSettings, '']);
    expect(end(ADDRESSES)).toEqual(['', ADDRESSES.page, '', line, here, UNSUBSCRIBE, '']);
  });

  it('has no address of its own without them', () => {
    const { text, unsubscribeUrl } = reminderMail(user('en'), IN_ENGLISH, NO_ADDRESSES);
    expect(text).not.toContain('://');
    expect(unsubscribeUrl).toBeUndefined();
  });

  it('says what is free where no pay day comes', () => {
    const free = { amount: '0.00', day: '2027-05-24', isPayDay: false };
    const beginning = (locale: string): string[] =>
      mailOf(locale, { free }).text.split('\n').slice(0, 2);
    expect(beginning('en-GB')).toEqual([
      'You can spend $0.00 until Monday 24 May,',
      'the end of the plan.',
    ]);
    expect(beginning('es-MX')).toEqual([
      'Puedes gastar US$0.00 hasta el',
      'lunes 24 de mayo, el fin del plan.',
    ]);
  });

  it.each([
    [
      'en-GB',
      '2026-12-10',
      'Your balance falls below zero on Thursday 10 Dec:',
      'that day the plan leaves −$1,012.20.',
    ],
    ['en-GB', '2026-11-25', 'Your balance falls below zero today:', 'the plan leaves −$1,012.20.'],
    [
      'es-MX',
      '2026-12-10',
      'Tu saldo baja de cero el jueves 10 de diciembre:',
      'ese día el plan deja −US$1,012.20.',
    ],
    ['es-MX', '2026-11-25', 'Tu saldo baja de cero hoy:', 'el plan deja −US$1,012.20.'],
  ])('says in %s that the balance falls below zero on %s', (locale, date, ...lines) => {
    const { text } = mailOf(locale, { belowZero: { date, balance: '-1012.20' } });
    expect(text.split('\n').slice(2, 6)).toEqual(['', ...lines, '']);
  });

  it('says how many more entries there are', () => {
    const overdue = { entries: [entry('2026-11-20', 'Water', '1.00')], more: 7 };
    expect(mailOf('en', { overdue }).text).toMatch(/1\.00 MXN\n {2}and 7 more\n\n/);
    expect(mailOf('es', { overdue }).text).toMatch(/1\.00 MXN\n {2}y 7 más\n\n/);
    expect(mailOf('es', { overdue }).subject).toBe('8 vencidos');
  });

  it('has every digit of a large sum', () => {
    const due = listOf(entry('2026-11-25', 'Card', '12345678901234567.89'));
    expect(mailOf('en', { due }).text).toContain(' 12,345,678,901,234,567.89 MXN\n');
  });
});

describe('the subject of a reminder', () => {
  const one = listOf(entry('2026-11-20', 'Water', '1.00'));
  const two = listOf(entry('2026-11-20', 'Water', '1.00'), entry('2026-11-21', 'Gas', '1.00'));
  const belowZero = { date: '2026-12-10', balance: '-1.00' };
  const belowZeroToday = { ...belowZero, date: '2026-11-25' };

  it.each<[Partial<Reminder>, string, string]>([
    [{ overdue: one }, '1 overdue', '1 vencido'],
    [{ overdue: two, late: two }, '2 overdue', '2 vencidos'],
    [{ due: one }, '1 due by Sat 28 Nov', '1 por pagar hasta el sáb 28 nov'],
    [{ due: two, dueBy: '2026-11-25' }, '2 due today', '2 por pagar hoy'],
    [{ late: one }, '1 income has not arrived', '1 ingreso no ha llegado'],
    [{ late: two }, '2 incomes have not arrived', '2 ingresos no han llegado'],
    [{ belowZero }, 'Below zero on Thu 10 Dec', 'Bajo cero el jue 10 dic'],
    [{ belowZero: belowZeroToday }, 'Below zero today', 'Bajo cero hoy'],
    [
      { late: one, belowZero },
      '1 income has not arrived, below zero on Thu 10 Dec',
      '1 ingreso no ha llegado, bajo cero el jue 10 dic',
    ],
    [
      { overdue: two, due: two, late: two, belowZero: belowZeroToday },
      '2 overdue, 2 due by Sat 28 Nov, below zero today',
      '2 vencidos, 2 por pagar hasta el sáb 28 nov, bajo cero hoy',
    ],
  ])('of %j is "%s" or "%s"', (fields, english, spanish) => {
    expect(mailOf('en-GB', fields).subject).toBe(english);
    expect(mailOf('es-MX', fields).subject).toBe(spanish);
  });
});

describe('what users wrote', () => {
  const textOf = (description: string, amount = '1.00'): string =>
    mailOf('en-GB', { due: listOf(entry('2026-11-26', description, amount)) }).text;

  it('goes on below itself where a line is too short', () => {
    const long = 'Electricity of the house in Coyoacán and of the workshop';
    expect(textOf(long, '999999999.99')).toContain(
      `Due by Saturday 28 Nov
  Thu 26 Nov  Electricity of the    999,999,999.99 MXN
              house in Coyoacán and
              of the workshop

You turned on`,
    );
    expect(textOf(long)).toContain(
      `Due by Saturday 28 Nov
  Thu 26 Nov  Electricity of the house        1.00 MXN
              in Coyoacán and of the
              workshop

You turned on`,
    );
  });

  it.each([
    ['line breaks', 'Water\r\nBcc: eve@example.com\n\n.\nSubject: x\u2028y\u0085z'],
    ['control characters', 'Wa\u0000ter\u0007\u001b[31m\u009f'],
    ['directions', '\u202eretaW\u202c \u2066x\u2069\u200f'],
    ['5,000 characters', 'abcdefghi '.repeat(500)],
    ['5,000 characters in a word', 'a'.repeat(5000)],
    ['5,000 marks', `a${'\u0301'.repeat(5000)}`],
    ['5,000 emoji', '👩‍👩‍👧‍👦'.repeat(500)],
    ['lone surrogates', 'a\ud800b\udc00c'],
    ['nothing', ' \u200b\u202e '],
    ['addresses', 'https://evil.example.com/x www.evil.com eve@evil.com evil.com/x'],
  ])('cannot break a mail with %s', (_, description) => {
    const lines = textOf(description).split('\n');
    expect(lines.length).toBeLessThan(13);
    for (const line of lines) {
      expect(Array.from(line).length).toBeLessThanOrEqual(54 + 60);
      expect(line).not.toMatch(/[^\P{C}\u200d]/u);
      expect(line.isWellFormed()).toBe(true);
    }
    expect(lines.slice(0, 4)).toEqual([
      'You can spend $152.95 until Friday 27 Nov,',
      'your next pay day.',
      '',
      'Due by Saturday 28 Nov',
    ]);
    expect(lines.slice(-4)).toEqual([
      '',
      'You turned on reminders from 8:00, 3 days before.',
      'Turn them off in the settings.',
      '',
    ]);
    for (const line of lines.slice(5, -4)) expect(line).toMatch(/^ {14}\S/);
  });

  it('is not in the subject', () => {
    const due = listOf(entry('2026-11-26', 'x\r\nBcc: eve@example.com', '1.00'));
    const { subject } = mailOf('en', { overdue: due, due, late: due });
    expect(subject).toBe('1 overdue, 1 due by Sat Nov 28');
  });

  it('has at most 54 characters a line', () => {
    const words = 'Renta del departamento de la colonia Roma Norte y del estacionamiento';
    for (const locale of ['en-GB', 'en-US', 'es-MX', 'es-ES']) {
      for (let day = 0; day < 365; day += 11) {
        const date = addDays('2026-01-01', day);
        const list = listOf(
          entry(date, words, '999999999.99'),
          entry(date, words.replaceAll(' ', ''), '0.01', 'USD'),
        );
        const { text } = mailOf(locale, {
          ...{ today: '2025-12-31', overdue: list, due: list, late: list, dueBy: date },
          belowZero: { date, balance: '-999999999.99' },
          free: { amount: '99999999.99', day: date, isPayDay: day % 2 === 0 },
        });
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(54);
      }
    }
  });
});
