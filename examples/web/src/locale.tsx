/** The language of the texts, and dates and money as the user's locale writes them. */
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { DatesProvider } from '@mantine/dates';
import 'dayjs/locale/es';
import { formatDate, formatMoney, type MessageLanguage } from 'expense-service-client';
import type { Currency } from './api';
import { textsOf, type Texts } from './texts';

/** How a day is written: `Wed 25 Nov`, `Wednesday 25 Nov`, `25 Nov`, `25 Nov 2026`. */
type DayStyle = 'short' | 'long' | 'day' | 'year' | 'full';

const DAY_STYLES: Record<DayStyle, Intl.DateTimeFormatOptions> = {
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  long: { weekday: 'long', day: 'numeric', month: 'short' },
  day: { day: 'numeric', month: 'short' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
};

export interface Locale {
  /** With the region, such as `es-MX`. */
  locale: string;
  language: MessageLanguage;
  t: Texts;
  day: (date: string, style?: DayStyle) => string;
  /** The days of a cycle: `4 Nov – 15 Dec`. */
  days: (range: { start_date: string; end_date: string }) => string;
  /** A cycle's name; the one that the service proposes is its days, which are shown as usual. */
  nameOf: (cycle: { name: string; start_date: string; end_date: string }) => string;
  /** Dollars without another currency, with sign `always` as a change: `+$3.47`. */
  usd: (amount: string, sign?: 'always') => string;
  money: (amount: string, currency: Currency, sign?: 'always') => string;
  setLocale: (locale: string) => void;
}

const LocaleContext = createContext<Locale | undefined>(undefined);

const languageOf = (locale: string): MessageLanguage => (locale.startsWith('es') ? 'es' : 'en');

/** Of most accounts of the people who use a locale. */
export const currencyOf = (locale: string): Currency =>
  languageOf(locale) === 'es' ? 'MXN' : 'USD';

/** What a browser cannot use is replaced, because the service takes any text as a locale. */
function usable(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

export function LocaleProvider({ children }: { children: ReactNode }) {
  const [chosen, setLocale] = useState(() => localStorage.getItem('locale') ?? navigator.language);
  const locale = usable(chosen);
  const value = useMemo<Locale>(() => {
    const language = languageOf(locale);
    const day: Locale['day'] = (date, style = 'short') => dayText(date, locale, style);
    return {
      locale,
      language,
      day,
      setLocale,
      t: textsOf(language),
      days: ({ start_date: from, end_date: to }) => `${day(from, 'day')} – ${day(to, 'day')}`,
      nameOf: ({ name, start_date: from, end_date: to }) =>
        name === `${from} to ${to}` ? `${day(from, 'day')} – ${day(to, 'year')}` : name,
      usd: (amount, sign) => formatMoney(amount, 'USD', locale, sign && { sign }),
      money: (amount, currency, sign) => formatMoney(amount, currency, locale, sign && { sign }),
    };
  }, [locale]);
  useEffect(() => {
    localStorage.setItem('locale', locale);
    document.documentElement.lang = value.language;
  }, [locale, value.language]);
  return (
    <LocaleContext value={value}>
      <DatesProvider
        settings={{ locale: value.language, firstDayOfWeek: locale === 'en-US' ? 0 : 1 }}
      >
        {children}
      </DatesProvider>
    </LocaleContext>
  );
}

function dayText(date: string, locale: string, style: DayStyle): string {
  const text = formatDate(date, locale, DAY_STYLES[style]);
  // `Wed, 25 Nov` is `Wed 25 Nov` in a table, and `25 de nov` is `25 nov`.
  return style === 'full' || style === 'year' ? text : text.replace(/[,.]| de\b/g, '');
}

export function useLocale(): Locale {
  const value = useContext(LocaleContext);
  if (!value) throw new Error('LocaleProvider is missing');
  return value;
}
