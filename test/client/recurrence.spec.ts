import { describe, expect, it } from '@jest/globals';
import { recurrenceText, type RecurrenceRule } from '../../clients/typescript/src/index.js';
import { ENGLISH_RECURRENCE } from '../../clients/typescript/src/recurrence.en.js';
import { SPANISH_RECURRENCE } from '../../clients/typescript/src/recurrence.es.js';

/** A Friday. */
const REFERENCE = '2026-03-27';

type RuleOf<Type> = Extract<RecurrenceRule, { recurrence_type: Type }>;

const weekly = (day_of_week: number): RecurrenceRule => ({
  recurrence_type: 'weekly',
  recurrence_config: { day_of_week },
  reference_date: REFERENCE,
});
const biWeekly = (interval_days: number): RecurrenceRule => ({
  recurrence_type: 'bi_weekly',
  recurrence_config: { interval_days },
  reference_date: REFERENCE,
});
const monthly = (day_of_month: number, handle_month_end?: boolean | null): RecurrenceRule => ({
  recurrence_type: 'monthly',
  recurrence_config:
    handle_month_end === undefined ? { day_of_month } : { day_of_month, handle_month_end },
  reference_date: REFERENCE,
});
const custom = (
  recurrence_config: RuleOf<'custom'>['recurrence_config'],
  reference_date = REFERENCE,
): RecurrenceRule => ({ recurrence_type: 'custom', recurrence_config, reference_date });

describe('how the TypeScript client says what recurs', () => {
  it.each([
    [weekly(0), 'Every Sunday', 'Cada domingo'],
    [weekly(6), 'Every Saturday', 'Cada sábado'],
    [biWeekly(14), 'Every second Friday', 'Un viernes sí y otro no'],
    [biWeekly(7), 'Every Friday', 'Cada viernes'],
    [biWeekly(28), 'Every 4 weeks on Friday', 'Cada 4 semanas, en viernes'],
    [biWeekly(1), 'Every day', 'Cada día'],
    [biWeekly(10), 'Every 10 days', 'Cada 10 días'],
    [monthly(1), 'On the 1st of each month', 'El día 1 de cada mes'],
    [monthly(15, true), 'On the 15th of each month', 'El día 15 de cada mes'],
    [monthly(11), 'On the 11th of each month', 'El día 11 de cada mes'],
    [monthly(22, null), 'On the 22nd of each month', 'El día 22 de cada mes'],
    [monthly(23), 'On the 23rd of each month', 'El día 23 de cada mes'],
    [monthly(28, false), 'On the 28th of each month', 'El día 28 de cada mes'],
    [monthly(29), 'On the 29th, in months that have it', 'El día 29, en los meses que lo tienen'],
    [
      monthly(31, null),
      'On the 31st, in months that have it',
      'El día 31, en los meses que lo tienen',
    ],
    [monthly(30, true), 'On the 30th of each month', 'El día 30 de cada mes'],
    [monthly(31, true), 'On the last day of each month', 'El último día de cada mes'],
    [custom({ interval: 1, unit: 'days' }), 'Every day', 'Cada día'],
    [custom({ interval: 45, unit: 'days' }), 'Every 45 days', 'Cada 45 días'],
    [custom({ interval: 1, unit: 'weeks' }), 'Every Friday', 'Cada viernes'],
    [
      custom({ interval: 2, unit: 'weeks', day_of_week: 0 }),
      'Every second Sunday',
      'Un domingo sí y otro no',
    ],
    [
      custom({ interval: 3, unit: 'weeks', day_of_week: null }),
      'Every 3 weeks on Friday',
      'Cada 3 semanas, en viernes',
    ],
    [custom({ interval: 1, unit: 'months' }), 'On the 27th of each month', 'El día 27 de cada mes'],
    [
      custom({ interval: 3, unit: 'months', day_of_month: 2 }),
      'Every 3 months on the 2nd',
      'Cada 3 meses, el día 2',
    ],
    [
      custom({ interval: 1, unit: 'months' }, '2026-01-31'),
      'On the last day of each month',
      'El último día de cada mes',
    ],
    [
      custom({ interval: 6, unit: 'months' }, '2026-01-31'),
      'Every 6 months on the last day',
      'Cada 6 meses, el último día',
    ],
    [custom({ interval: 1, unit: 'years' }), 'Every year on 27 March', 'Cada año, el 27 de marzo'],
    [
      custom({ interval: 2, unit: 'years', day_of_month: 5, month_of_year: 12 }),
      'Every 2 years on 5 December',
      'Cada 2 años, el 5 de diciembre',
    ],
    // In the other years it is the last day of February.
    [
      custom({ interval: 1, unit: 'years' }, '2024-02-29'),
      'Every year on 29 February',
      'Cada año, el 29 de febrero',
    ],
    [
      custom({ interval: 1, unit: 'years', day_of_month: 31, month_of_year: 2 }),
      'Every year on 29 February',
      'Cada año, el 29 de febrero',
    ],
    [
      custom({ interval: 1, unit: 'years', day_of_month: 31, month_of_year: 4 }),
      'Every year on 30 April',
      'Cada año, el 30 de abril',
    ],
  ])('the TypeScript client says of %j: %s', (rule, english, spanish) => {
    expect(recurrenceText(rule, 'en-GB')).toBe(english);
    expect(recurrenceText(rule, 'es-MX')).toBe(spanish);
  });

  it('the TypeScript client says the month first in the United States alone', () => {
    const yearly = custom({ interval: 1, unit: 'years' });
    expect(recurrenceText(yearly, 'en-US')).toBe('Every year on March 27');
    expect(recurrenceText(yearly, 'en-CA')).toBe('Every year on 27 March');
    expect(recurrenceText(yearly, 'es-US')).toBe('Cada año, el 27 de marzo');
  });

  it('what recurs is in English for the TypeScript client in any other locale', () => {
    for (const locale of ['fr', 'de-CH', 'ar-EG', 'ja-JP-u-ca-japanese']) {
      expect(recurrenceText(weekly(5), locale)).toBe('Every Friday');
      expect(recurrenceText(custom({ interval: 1, unit: 'years' }), locale)).toBe(
        'Every year on 27 March',
      );
    }
    expect(recurrenceText(weekly(5), 'es-ES')).toBe('Cada viernes');
    expect(() => recurrenceText(weekly(5), 'no locale')).toThrow(RangeError);
  });

  it('the TypeScript client needs a reference date only where a rule counts from it', () => {
    const form = { ...monthly(15), reference_date: '' };
    expect(recurrenceText(form, 'en')).toBe('On the 15th of each month');
    for (const unit of ['weeks', 'months', 'years'] as const) {
      expect(() => recurrenceText(custom({ interval: 1, unit }, '2026-02-30'), 'en')).toThrow(
        RangeError,
      );
    }
  });

  it('a rule of a newer service has a text of the TypeScript client', () => {
    const rule = { ...weekly(1), recurrence_type: 'lunar' } as unknown as RecurrenceRule;
    const unit = custom({ interval: 1, unit: 'quarters' as 'years' });
    for (const each of [rule, unit]) {
      expect(recurrenceText(each, 'en')).toBe('Another interval');
      expect(recurrenceText(each, 'es')).toBe('Otro intervalo');
    }
  });

  it('the recurrence texts of the TypeScript client have the same values in both languages', () => {
    const valuesOf = ({ ordinals: _, ...texts }: typeof ENGLISH_RECURRENCE): unknown =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, text.match(/\{\w+\}/g)?.sort()]),
      );
    expect(valuesOf(SPANISH_RECURRENCE)).toEqual(valuesOf(ENGLISH_RECURRENCE));
  });
});
