import { describe, expect, it } from '@jest/globals';
import { parseRates, RatesFileError, type RateFileProblem } from './rates-file.js';

const read = (...lines: string[]): object[] =>
  parseRates(Buffer.from(lines.join('\n'))).map((rate) => ({ ...rate, rate: rate.rate.toFixed() }));

function problemsOf(...lines: string[]): readonly RateFileProblem[] {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof RatesFileError) return error.problems;
    throw error;
  }
  return [];
}

const messageOf = (problems: RateFileProblem[]): string => new RatesFileError(problems).message;

const HEADER = 'from,to,rate,date';

describe('parseRates', () => {
  it('parseRates reads one rate per line', () => {
    expect(read(HEADER, 'MXN,USD,0.058823,2026-01-01', 'USD,MXN,17,2026-02-28')).toEqual([
      { fromCurrency: 'MXN', toCurrency: 'USD', rate: '0.058823', rateDate: '2026-01-01' },
      { fromCurrency: 'USD', toCurrency: 'MXN', rate: '17', rateDate: '2026-02-28' },
    ]);
  });

  it.each([
    ['of Windows', '\uFEFFfrom,to,rate,date\r\nMXN,USD,0.05,2026-01-01\r\n'],
    ['with quotes and spaces', '"from", to ,"rate",date\n "MXN" , USD, 0.05 ,2026-01-01'],
    ['with empty lines', '\nfrom,to,rate,date\n\n\nMXN,USD,0.05,2026-01-01\n\n'],
    [
      'with rows of separators',
      ',,,\nfrom,to,rate,date\n,,,\nMXN,USD,0.05,2026-01-01\n , ,,,,\n"",',
    ],
    ['with columns without a name', 'from,to,,rate,date,\nMXN,USD,,0.05,2026-01-01, '],
    ['with mixed line ends', 'from,to,rate,date\nMXN,USD,0.05,2026-01-01\r\n'],
  ])('parseRates reads files %s', (_, text) => {
    expect(read(text)).toEqual([
      { fromCurrency: 'MXN', toCurrency: 'USD', rate: '0.05', rateDate: '2026-01-01' },
    ]);
  });

  it('parseRates takes a file without rates', () => {
    expect(read(HEADER)).toEqual([]);
  });

  it('parseRates demands the header of an empty file', () => {
    expect(problemsOf('')).toEqual([{ line: 1, message: 'must be from,to,rate,date' }]);
  });

  it.each([
    ['', 1],
    ['MXN,USD,0.05,2026-01-01', 1],
    ['from;to;rate;date', 1],
    ['date,rate,from,to', 1],
  ])('parseRates demands the header instead of %p', (first, line) => {
    expect(problemsOf(first, 'MXN,USD,0.05,2026-01-01')).toEqual([
      { line, message: 'must be from,to,rate,date' },
    ]);
  });

  it.each([
    ['MXN,EUR,1,2026-01-01', 'to must be one of USD, MXN'],
    ['mxn,USD,1,2026-01-01', 'from must be one of USD, MXN'],
    ['USD,USD,1,2026-01-01', 'from and to must be different currencies'],
    ...['0', '0.000000', '-1', '1e3', '1,000', '0.0000001', '.5', '5.', '1234567890123', ''].map(
      (rate) => [
        `MXN,USD,"${rate}",2026-01-01`,
        'rate must be greater than 0, with at most 6 decimals, such as 0.058823',
      ],
    ),
    ...['2026-02-30', '01/02/2026', '2026-1-1', '1899-12-31', ''].map((date) => [
      `MXN,USD,0.05,${date}`,
      'date must be an existing date, as YYYY-MM-DD',
    ]),
    ['MXN,USD,0.05', 'has 3 values instead of 4 (from,to,rate,date)'],
    ['MXN,USD,0,05,2026-01-01', 'has 5 values instead of 4 (from,to,rate,date)'],
    ['MX"N,USD,0.05,2026-01-01', 'is not valid CSV: check its quotes'],
    ['"MXN,USD,0.05,2026-01-01', 'is not valid CSV: check its quotes'],
  ])('parseRates refuses the line %p', (line = '', message = '') => {
    expect(problemsOf(HEADER, line)).toEqual([{ line: 2, message }]);
  });

  it('parseRates names every problem by its line, also of one line, and those after empty ones', () => {
    expect(
      problemsOf(
        HEADER,
        'MXN,USD,0.05,2026-01-01',
        '',
        'EUR,USD,0,2026-01-32',
        'MXN,USD,0.06,2026-01-02',
        'MXN,USD,0.07,2026-01-01',
        'nonsense',
      ).map(({ line, message }) => `${line} ${message.split(' ')[0] ?? ''}`),
    ).toEqual(['4 from', '4 rate', '4 date', '6 line', '7 has']);
  });

  it('parseRates refuses values in a column without a name, at the line of the header', () => {
    expect(problemsOf('', 'from,to,rate,date,', 'MXN,USD,0.05,2026-01-01,x')).toEqual([
      { line: 2, message: 'column 5 has values, but no name in the header' },
    ]);
  });

  it('parseRates names the problems in the order of the lines, broken quotes among them', () => {
    const lines = problemsOf(HEADER, 'nonsense', 'MX"N,USD,0.05,2026-01-01', 'nonsense');
    expect(lines.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('parseRates describes what is wrong with the whole file', () => {
    expect(() => read(HEADER, 'nonsense')).toThrow(
      new RatesFileError([{ line: 2, message: 'has 1 values instead of 4 (from,to,rate,date)' }]),
    );
    expect(messageOf([{ line: 2, message: 'is odd' }])).toBe(
      'Nothing was imported: the file has 1 error\n  line 2: is odd',
    );
    expect(
      messageOf([
        { line: 2, message: 'is odd' },
        { line: 3, message: 'is even' },
      ]),
    ).toBe('Nothing was imported: the file has 2 errors\n  line 2: is odd\n  line 3: is even');
  });
});
