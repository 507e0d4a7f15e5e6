import { filled, languageOf } from './catalogue.js';
import { addDays, formatDate } from './dates.js';
import type { MessageLanguage } from './messages.js';
import { ENGLISH_RECURRENCE } from './recurrence.en.js';
import { SPANISH_RECURRENCE } from './recurrence.es.js';
import type { Schemas } from './types.js';

type RuleField = 'recurrence_type' | 'recurrence_config' | 'reference_date';

type RuleOf<Dto> = Dto extends Record<RuleField, unknown> ? Pick<Dto, RuleField> : never;

/**
 * How something recurs: `recurrence_type`, the `recurrence_config` of that type, and the
 * `reference_date` (`YYYY-MM-DD`), as templates, their forms and `Schemas['ComputeOccurrencesDto']`
 * have them.
 */
export type RecurrenceRule = RuleOf<Schemas['ComputeOccurrencesDto']>;

/** The texts of a language. `{name}` is replaced by a value. */
export interface RecurrenceTexts {
  everyDay: string;
  everyFewDays: string;
  everyWeek: string;
  everySecondWeek: string;
  everyFewWeeks: string;
  everyMonth: string;
  everyMonthEnd: string;
  everyFewMonths: string;
  everyFewMonthEnds: string;
  /** In a month without that day there is none. */
  someMonths: string;
  everyYear: string;
  everyFewYears: string;
  /** A type or a unit of a newer service. */
  other: string;
  /** What `{day}` is for months, by the ordinal plural of the language. */
  ordinals: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
}

const TEXTS: Record<MessageLanguage, RecurrenceTexts> = {
  en: ENGLISH_RECURRENCE,
  es: SPANISH_RECURRENCE,
};

const SUNDAY = '2023-01-01';

/** The last day in months that have it. */
const LAST_DAY = 31;

/**
 * How something recurs, in words, without a full stop: `Every second Friday`, `On the 15th of each
 * month`, in Spanish `Un viernes sí y otro no`, `El día 15 de cada mes`. A rule of a newer service
 * is "Another interval".
 *
 * The weekend rule and the first and last date are not part of it.
 *
 * @param locale such as `es-MX`: the text is Spanish in those of Spanish, English in any other
 * @throws RangeError if the rule counts from a `reference_date` that is no date, or if the locale
 *   is none
 */
export function recurrenceText(rule: RecurrenceRule, locale: string): string {
  const words = new Words(locale, rule.reference_date);
  switch (rule.recurrence_type) {
    case 'weekly':
      return words.weeks(1, rule.recurrence_config.day_of_week);
    case 'bi_weekly': {
      const { interval_days: days } = rule.recurrence_config;
      return days % 7 === 0 ? words.weeks(days / 7) : words.days(days);
    }
    case 'monthly': {
      const { day_of_month: day, handle_month_end: isInEachMonth } = rule.recurrence_config;
      return day > 28 && !isInEachMonth ? words.someMonths(day) : words.months(1, day);
    }
    case 'custom':
      return customText(rule.recurrence_config, words);
    default:
      return words.texts.other;
  }
}

function customText(config: Schemas['CustomConfigDto'], words: Words): string {
  const { interval, unit, day_of_week: weekday, day_of_month: day, month_of_year: month } = config;
  switch (unit) {
    case 'days':
      return words.days(interval);
    case 'weeks':
      return words.weeks(interval, weekday);
    case 'months':
      return words.months(interval, day);
    case 'years':
      return words.years(interval, { month, day });
    default:
      return words.texts.other;
  }
}

/** The texts of a language; what a rule does not say is that of its reference date. */
class Words {
  readonly texts: RecurrenceTexts;

  private readonly language: MessageLanguage;

  constructor(
    private readonly locale: string,
    private readonly reference: string,
  ) {
    this.language = languageOf(locale);
    this.texts = TEXTS[this.language];
  }

  days(count: number): string {
    return count === 1 ? this.texts.everyDay : filled(this.texts.everyFewDays, { count });
  }

  /** @param dayOfWeek 0 is Sunday */
  weeks(count: number, dayOfWeek?: number | null): string {
    const { everyWeek, everySecondWeek, everyFewWeeks } = this.texts;
    const date = typeof dayOfWeek === 'number' ? addDays(SUNDAY, dayOfWeek) : this.reference;
    const weekday = formatDate(date, this.language, { weekday: 'long' });
    const text = { 1: everyWeek, 2: everySecondWeek }[count] ?? everyFewWeeks;
    return filled(text, { count, weekday });
  }

  months(count: number, dayOfMonth?: number | null): string {
    const { everyMonth, everyMonthEnd, everyFewMonths, everyFewMonthEnds } = this.texts;
    const number = dayOfMonth ?? this.referenceDay();
    const [one, few] =
      number === LAST_DAY ? [everyMonthEnd, everyFewMonthEnds] : [everyMonth, everyFewMonths];
    return filled(count === 1 ? one : few, { count, day: this.ordinal(number) });
  }

  someMonths(dayOfMonth: number): string {
    return filled(this.texts.someMonths, { day: this.ordinal(dayOfMonth) });
  }

  years(
    count: number,
    { month, day }: { month: number | null | undefined; day: number | null | undefined },
  ): string {
    const { everyYear, everyFewYears } = this.texts;
    const monthNumber = month ?? this.referenceMonth();
    const first = `2024-${String(monthNumber).padStart(2, '0')}-01`;
    // The last day of a month that has not so many; of February in a leap year.
    const last = new Date(Date.UTC(2024, monthNumber, 0)).getUTCDate();
    const date = addDays(first, Math.min(day ?? this.referenceDay(), last) - 1);
    return filled(count === 1 ? everyYear : everyFewYears, {
      count,
      date: formatDate(date, this.dateLocale(), { day: 'numeric', month: 'long' }),
    });
  }

  /** `December 18` in the United States, `18 December` in all other locales that are not Spanish. */
  private dateLocale(): string {
    if (this.language === 'es') return 'es';
    return new Intl.Locale(this.locale).maximize().region === 'US' ? 'en-US' : 'en-GB';
  }

  private ordinal(number: number): string {
    const { ordinals } = this.texts;
    const rule = new Intl.PluralRules(this.language, { type: 'ordinal' }).select(number);
    return filled(ordinals[rule] ?? ordinals.other, { number });
  }

  private referenceDay(): number {
    // Refuses what is no date.
    return Number(addDays(this.reference, 0).slice(8));
  }

  private referenceMonth(): number {
    return Number(addDays(this.reference, 0).slice(5, 7));
  }
}
