import {
  createParamDecorator,
  PayloadTooLargeException,
  type ExecutionContext,
} from '@nestjs/common';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import { RowsFailedError, ValidationFailedError } from '../errors/domain-error.js';
import type { FieldError, FieldErrors, FieldReason } from '../errors/field-reasons.js';

export interface CsvFormat {
  required: readonly string[];
  optional: readonly string[];
  /** Columns that a file may have and that are not read. */
  ignored: readonly string[];
  /** Columns of text, in which formulas are escaped. */
  text: readonly string[];
  maxRows: number;
}

/** A row of a file. */
export interface CsvRow {
  /** The physical line of its beginning; the header is line 1. */
  line: number;
  /** The values that are not empty by column, without the ignored columns. */
  cells: Record<string, string>;
  /** Why the row as a whole is invalid. */
  problem?: FieldError;
}

/**
 * The beginning of text that a spreadsheet takes for a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

const MAX_UNKNOWN_COLUMNS = 20;
const MAX_COLUMN_LENGTH = 100;
const MALFORMED: FieldErrors = {
  row: [{ reason: 'malformed', message: 'row is not valid CSV: check its quotes' }],
};
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The rows of the CSV file in the body. */
export const CsvRows = createParamDecorator((format: CsvFormat, context: ExecutionContext) => {
  const body: unknown = context.switchToHttp().getRequest<Request>().body;
  if (typeof body === 'string' && body.trim() !== '') return parseCsv(body, format);
  throw new ValidationFailedError({
    body: [{ reason: 'required', message: 'body is required' }],
  });
});

/**
 * Parses CSV (RFC 4180) with a header line; line ends are CRLF or LF. A value that is empty or
 * white space is the same as none. Columns without a name are ignored where they have no values.
 *
 * @throws RowsFailedError when the header or the quotes are invalid; PayloadTooLargeException
 */
export function parseCsv(text: string, format: CsvFormat): CsvRow[] {
  const file = readRecords(text, { maxRecords: format.maxRows + 2 });
  if (file.malformed !== undefined) throw new RowsFailedError({ [file.malformed]: MALFORMED });
  const [header, ...records] = file.records;
  if (records.length > format.maxRows) throw new PayloadTooLargeException();
  const columns = header?.values ?? [];
  const errors = headerErrors(columns, records, format);
  if (Object.keys(errors).length > 0) throw new RowsFailedError({ [header?.line ?? 1]: errors });
  const read = new Set([...format.required, ...format.optional]);
  const places = [...columns.entries()].filter(([, column]) => read.has(column));
  const escaped = new Set(format.text);
  const textOf = (value: string, at: number): string =>
    escaped.has(columns[at] ?? '') ? unescapeFormula(value) : value;
  // Escaped white space, such as `'` and a line feed, is white space too.
  const rows = records.filter(({ values }) =>
    values.some((value, at) => !isEmpty(textOf(value, at))),
  );
  return rows.map(({ line, values }) => ({
    line,
    cells: Object.fromEntries(
      places
        .map(([at, column]): [string, string] => [column, textOf(values[at] ?? '', at)])
        .filter(([, value]) => !isEmpty(value)),
    ),
    ...(values.length !== columns.length && {
      problem: {
        reason: 'malformed' as const,
        message: `row must have ${columns.length} values, like the header`,
      },
    }),
  }));
}

/** CSV with a header line and CRLF at the end of each line; null is an empty value. */
export function writeCsv<Column extends string>(
  columns: readonly Column[],
  { text }: Pick<CsvFormat, 'text'>,
  rows: readonly Record<Column, string | null>[],
): string {
  const lines = rows.map((row) =>
    columns.map((column) => {
      const value = row[column];
      return value !== null && text.includes(column) ? escapeFormula(value) : value;
    }),
  );
  // The library quotes only the delimiter of records, and not a single CR or LF.
  return stringify([[...columns], ...lines], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Text that a spreadsheet displays as it is. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The inverse of {@link escapeFormula}. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

export interface CsvRecord {
  /** The physical line of its beginning. */
  line: number;
  values: string[];
}

interface CsvRecords {
  records: CsvRecord[];
  /** The line of the record whose quotes are invalid; it and those after it are not read. */
  malformed?: number;
}

/** Whether a value is white space alone. */
const isEmpty = (value: string): boolean => value.trim() === '';

const SPACE = String.raw`[^\S\n]*`;
const EMPTY_VALUE = String.raw`${SPACE}(?:"\s*"${SPACE})?`;
/** Whole lines of empty values, or a text in quotes, in which such a line is part of the text. */
const EMPTY_LINES_OR_QUOTED = new RegExp(
  String.raw`((?<![^\n])(?:${EMPTY_VALUE}(?:,${EMPTY_VALUE})*(?:\n|$))+)|"[^"]*"?`,
  'g',
);

/**
 * Leaves only the line ends of records without values: the parser would take milliseconds for each
 * thousand of them.
 */
const withoutEmptyRecords = (text: string): string =>
  text.replace(EMPTY_LINES_OR_QUOTED, (match: string, lines?: string) =>
    lines === undefined ? match : '\n'.repeat(lines.split('\n').length - 1),
  );

/**
 * The columns of the header without a name, counted from 1, and whether the records have values
 * there. Spreadsheets write such columns where a cell beside the table was used once.
 */
export function unnamedColumns(
  header: readonly string[],
  records: readonly CsvRecord[],
): Map<number, boolean> {
  const unnamed = [...header.keys()].filter((at) => isEmpty(header[at] ?? ''));
  return new Map(
    unnamed.map((at) => [
      at + 1,
      records.some(({ values }) => at < values.length && !isEmpty(values[at] ?? '')),
    ]),
  );
}

export const UNNAMED_PROBLEM = 'has values, but no name in the header';

/**
 * The records of CSV (RFC 4180) that have values. `trim` removes white space around values, also
 * around quotes. The parser counts a CRLF in quotes as two lines, so that the lines are counted
 * here, from the position of each record.
 */
export function readRecords(
  text: string,
  { trim = false, maxRecords }: { trim?: boolean; maxRecords?: number } = {},
): CsvRecords {
  const bytes = Buffer.from(withoutEmptyRecords(text.replace(/^\uFEFF/, '')));
  const records: CsvRecord[] = [];
  let position = 0;
  let line = 1;
  const moveTo = (end: number): void => {
    for (; position < end; position += 1) if (bytes[position] === LINE_FEED) line += 1;
  };
  const skipEmptyLines = (): void => {
    let end = position;
    while (bytes[end] === LINE_FEED || bytes[end] === CARRIAGE_RETURN) end += 1;
    moveTo(end);
  };
  try {
    parse(bytes, {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxRecords,
      trim,
      on_record: (values: string[], { bytes: end }) => {
        skipEmptyLines();
        records.push({ line, values });
        moveTo(end);
        return undefined;
      },
    });
  } catch {
    skipEmptyLines();
    return { records, malformed: line };
  }
  return { records };
}

function headerErrors(
  columns: readonly string[],
  records: readonly CsvRecord[],
  format: CsvFormat,
): FieldErrors {
  const allowed = new Set([...format.required, ...format.optional, ...format.ignored]);
  const missing = format.required
    .filter((column) => !columns.includes(column))
    .map(headerError('required', 'is required'));
  const repeated = [...allowed]
    .filter((column) => columns.indexOf(column) !== columns.lastIndexOf(column))
    .map(headerError('repeated', 'must not be repeated'));
  const unnamed = [...unnamedColumns(columns, records)]
    .filter(([, hasValues]) => hasValues)
    .slice(0, MAX_UNKNOWN_COLUMNS)
    .map(([number]) => String(number))
    .map(headerError('unknown_field', UNNAMED_PROBLEM));
  const unknown = [...new Set(columns.filter((name) => !isEmpty(name) && !allowed.has(name)))]
    .slice(0, MAX_UNKNOWN_COLUMNS)
    .map((column) => column.slice(0, MAX_COLUMN_LENGTH).toWellFormed())
    .map(headerError('unknown_field', 'should not exist'));
  return Object.fromEntries([
    ...missing,
    ...repeated,
    ...unknown,
    ...unnamed.map(([number, errors]) => [`column ${number}`, errors] as const),
  ]);
}

function headerError(
  reason: FieldReason,
  problem: string,
): (column: string) => [column: string, errors: FieldError[]] {
  return (column) => [column, [{ reason, message: `column ${column} ${problem}` }]];
}
