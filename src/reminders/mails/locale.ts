import type { CalendarDate } from '../../platform/values/calendar-date.js';

/** How days and numbers are written. */
export interface LocaleFormats {
  /** `Fri 20 Nov`, `vie 20 nov`. */
  shortDay: (date: CalendarDate) => string;
  /** `Friday 20 Nov`, `viernes 20 de noviembre`. */
  longDay: (date: CalendarDate) => string;
  /** With two decimals and without a sign: `1,240.00`. */
  number: (amount: string) => string;
}

/** Calendars and digits of a region, such as those of `en-SA`, are not those of the texts. */
const COMMON = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' };

/**
 * The forms of a locale, which orders days, months and decimals.
 *
 * @param locale any text of a user
 * @param language the locale that applies where that one is unknown, of another language, or
 *   without a region
 */
export function formatsOf(
  locale: string,
  { language, longMonth }: { language: string; longMonth: 'short' | 'long' },
): LocaleFormats {
  const used = localeIn(locale, language);
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(used, { day: 'numeric', ...options, ...COMMON });
  const short = format({ weekday: 'short', month: 'short' });
  const long = format({ weekday: 'long', month: longMonth });
  const numbers = new Intl.NumberFormat(used, {
    minimumFractionDigits: 2,
    numberingSystem: COMMON.numberingSystem,
  });
  return {
    // `Fri, Nov. 20` is `Fri Nov 20`, and `20 de nov` is `20 nov`.
    shortDay: (date) => short.format(Date.parse(date)).replaceAll(/[,.]| de\b/g, ''),
    longDay: (date) => long.format(Date.parse(date)).replaceAll(/[,.]/g, ''),
    // A text, as a number has fewer digits than a large sum.
    number: (amount) => numbers.format(amount.replace('-', '') as Intl.StringNumericLiteral),
  };
}

function localeIn(locale: string, language: string): string {
  try {
    const { language: own, region } = new Intl.Locale(locale);
    // Spanish without a region would have the decimal comma of Spain.
    return region !== undefined && own === new Intl.Locale(language).language ? locale : language;
  } catch {
    return language;
  }
}
