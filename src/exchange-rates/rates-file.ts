import { Big } from 'big.js';
import { OperatorError } from '../platform/errors/domain-error.js';
import { readRecords, UNNAMED_PROBLEM, unnamedColumns } from '../platform/files/csv.js';
import { isCalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';
import type { ExchangeRate } from './exchange-rate.entity.js';

export type NewRate = Pick<ExchangeRate, 'fromCurrency' | 'toCurrency' | 'rate' | 'rateDate'>;

export interface RateFileProblem {
  /** Line number, from 1. */
  line: number;
  message: string;
}

/** An invalid file of rates, with every problem by line. */
export class RatesFileError extends OperatorError {
  constructor(readonly problems: readonly RateFileProblem[]) {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
    const lines = problems.map(({ line, message }) => `  line ${line}: ${message}`);
    super([`Nothing was imported: the file has ${count}`, ...lines].join('\n'));
  }
}

const HEADER = ['from', 'to', 'rate', 'date'];
/** The precision of the column: 12 integer digits and 6 decimals. */
const RATE_TEXT = /^\d{1,12}(\.\d{1,6})?$/;

/** No value has a line end, so that each line is read by itself and has its own problems. */
const LINE_END = /\r\n|\n|\r/;
const INVALID_CSV = 'is not valid CSV: check its quotes';

/**
 * Parses rates from CSV: a header line `from,to,rate,date`, then one rate per line.
 *
 * @throws RatesFileError with every problem
 */
export function parseRates(csv: Buffer): NewRate[] {
  const problems: RateFileProblem[] = [];
  const [header, ...rows] = csv
    .toString()
    .split(LINE_END)
    .flatMap((text, index) => {
      const line = index + 1;
      const { records, malformed } = readRecords(text, { trim: true });
      if (malformed !== undefined) problems.push({ line, message: INVALID_CSV });
      return records.map(({ values }) => ({ line, values }));
    });
  const { line: headerLine, values: names } = header ?? { line: 1, values: [] };
  const unnamed = unnamedColumns(names, rows);
  const named = (values: readonly string[]): string[] =>
    values.filter((_value, at) => !unnamed.has(at + 1));
  if (named(names).join() !== HEADER.join()) {
    throw new RatesFileError([{ line: 1, message: `must be ${HEADER.join()}` }]);
  }
  for (const [number, hasValues] of unnamed) {
    if (hasValues)
      problems.push({ line: headerLine, message: `column ${number} ${UNNAMED_PROBLEM}` });
  }
  const firstLines = new Map<string, number>();
  const rates = rows.flatMap(({ line, values: all }) => {
    const values = named(all);
    const messages = problemsOf(values);
    const [from, to, rate, rateDate] = values as [CurrencyCode, CurrencyCode, string, string];
    const key = [from, to, rateDate].join();
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) messages.push(`line ${firstLine} has the same pair and date`);
    problems.push(...messages.map((message) => ({ line, message })));
    if (messages.length > 0) return [];
    firstLines.set(key, line);
    return [{ fromCurrency: from, toCurrency: to, rate: new Big(rate), rateDate }];
  });
  if (problems.length > 0) throw new RatesFileError(problems.sort((a, b) => a.line - b.line));
  return rates;
}

function problemsOf(record: string[]): string[] {
  if (record.length !== HEADER.length) {
    return [`has ${record.length} values instead of ${HEADER.length} (${HEADER.join()})`];
  }
  const [from, to, rate, date] = record as [string, string, string, string];
  const problems: string[] = [];
  if (!isCurrency(from)) problems.push(`from must be one of ${CURRENCY_CODES.join(', ')}`);
  if (!isCurrency(to)) problems.push(`to must be one of ${CURRENCY_CODES.join(', ')}`);
  else if (from === to) problems.push('from and to must be different currencies');
  if (!RATE_TEXT.test(rate) || Number(rate) === 0) {
    problems.push('rate must be greater than 0, with at most 6 decimals, such as 0.058823');
  }
  if (!isCalendarDate(date)) problems.push('date must be an existing date, as YYYY-MM-DD');
  return problems;
}

function isCurrency(code: string): code is CurrencyCode {
  return (CURRENCY_CODES as readonly string[]).includes(code);
}
