import { entryOf, filled, languageOf } from './catalogue.js';
import { formatDate } from './dates.js';
import type { MessageLanguage } from './messages.js';
import { formatMoney, formatNumber, isNegative } from './money.js';
import type { Schemas } from './types.js';
import { ENGLISH_WARNINGS } from './warnings.en.js';
import { SPANISH_WARNINGS } from './warnings.es.js';

/** The texts of a language. `{name}` is replaced by a value. */
export interface WarningTexts {
  preview: Record<Schemas['WarningCode'], string>;
  forecast: Record<Schemas['ForecastWarningCode'], string>;
  /** What is more precise than the text of the code. */
  cases: Record<'gapOfOneDay' | 'belowMinimum', string>;
  /** A budget with its limit; the end of a list whose elements are counted, or are not. */
  parts: Record<'ofLimit' | 'more' | 'others', string>;
}

const TEXTS: Record<MessageLanguage, WarningTexts> = {
  en: ENGLISH_WARNINGS,
  es: SPANISH_WARNINGS,
};

interface Named {
  name: string | null;
}

interface DayBalance {
  date: string;
  /** In a preview. */
  balance_usd?: string;
  /** In a forecast, in its currency. */
  balance?: string;
}

/** What the details of the codes are made of; each code has some of them. */
interface Details {
  cycle?: Named;
  cycles?: (Named & { start_date?: string; end_date?: string })[];
  days?: number;
  payment_methods?: Named[];
  entries?: { description: string }[];
  budgets?: {
    budget: { name: string };
    currency?: 'USD' | 'MXN';
    limit: string;
    total_amount: string;
  }[];
  periods?: { from: string; to: string }[];
  first?: DayBalance;
  lowest?: DayBalance;
  /** In USD: each time, and all `times` together. */
  income_amount?: string;
  times?: number;
  total?: string;
  /** In a forecast, with each list: how many elements it has beyond those that are listed. */
  more?: number;
}

/**
 * A sentence or two for the user about a warning of a preview or of a forecast. The `message` of
 * the service is returned for a code of a newer service.
 *
 * The balances of a forecast are without a currency, because a warning does not say in which they
 * are. Of a list with more than four elements, three are named.
 *
 * @param locale of the dates and amounts, such as `es-MX`: the text is Spanish in those of Spanish,
 *   English in any other
 * @throws RangeError if the locale is none
 */
export function warningMessage(
  warning: Schemas['WarningResponse'] | Schemas['ForecastWarningResponse'],
  locale: string,
): string {
  const details: Details = warning.details;
  const texts = TEXTS[languageOf(locale)];
  const text = textFor(warning.code, details, texts);
  if (text === undefined) return warning.message;
  const { first, lowest, income_amount: amount = '0.00', times = 0, total = '0.00' } = details;
  return filled(text, {
    names: listOf(namesIn(details, texts, locale), details, texts),
    ranges: listOf(rangesIn(details, locale), details, texts),
    days: details.days ?? 0,
    first: first ? formatDate(first.date, locale) : '',
    amount: formatMoney(amount, 'USD', locale),
    times,
    total: formatMoney(total, 'USD', locale),
    lowest: lowest ? `${balanceOf(lowest, locale)}, ${formatDate(lowest.date, locale)}` : '',
  });
}

/** Undefined: the code is of a newer service. */
function textFor(
  code: string,
  { days, first, more }: Details,
  { preview, forecast, cases }: WarningTexts,
): string | undefined {
  if (code === 'gap_to_previous' && days === 1) return cases.gapOfOneDay;
  // Some codes are those of both, but are about something else.
  const isOfForecast = more !== undefined || first?.balance !== undefined;
  const [own, others] = isOfForecast ? [forecast, preview] : [preview, forecast];
  // The warning does not have the minimum, which is 0.00 or more.
  const isAboveZero = first?.balance !== undefined && !isNegative(first.balance);
  if (code === 'negative_balance' && isAboveZero) return cases.belowMinimum;
  return entryOf(own, code) ?? entryOf(others, code);
}

function namesIn(details: Details, { parts }: WarningTexts, locale: string): string[] {
  const { cycle, cycles = [], payment_methods = [], entries = [], budgets = [] } = details;
  return [
    ...[...(cycle ? [cycle] : []), ...cycles, ...payment_methods].map(({ name }) => name ?? ''),
    ...entries.map(({ description }) => description),
    ...budgets.map(({ budget: { name }, currency = 'USD', total_amount: total, limit }) =>
      filled(parts.ofLimit, {
        name,
        amount: formatMoney(total, currency, locale),
        limit: formatMoney(limit, currency, locale),
      }),
    ),
  ];
}

function rangesIn({ cycles = [], periods = [] }: Details, locale: string): string[] {
  const ranges = [
    ...cycles.flatMap(({ start_date: from, end_date: to }) =>
      to === undefined ? [] : [{ from: from ?? to, to }],
    ),
    ...periods,
  ];
  return ranges.map(({ from, to }) => {
    const [start, end] = [formatDate(from, locale), formatDate(to, locale)];
    return from === to ? start : `${start} – ${end}`;
  });
}

/** The first elements of a list, and how many more there are. */
function listOf(
  elements: string[],
  { entries, more: unlisted = 0 }: Details,
  { parts }: WarningTexts,
): string {
  // Several entries have the same name.
  const different = [...new Set(elements)].filter((element) => element !== '');
  if (different.length <= 4 && unlisted === 0) return different.join(', ');
  const list = different.slice(0, 3).join(', ');
  // Those that are not listed may have the names of those that are.
  if (entries && unlisted > 0) return filled(parts.others, { list });
  const count = Math.max(different.length - 3, 0) + unlisted;
  return filled(parts.more, { list, count });
}

function balanceOf({ balance_usd: usd, balance = '0.00' }: DayBalance, locale: string): string {
  return usd === undefined ? formatNumber(balance, locale) : formatMoney(usd, 'USD', locale);
}
