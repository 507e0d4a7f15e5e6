import { describe, expect, it } from '@jest/globals';
import { PayloadTooLargeException } from '@nestjs/common';
import fc from 'fast-check';
import { RowsFailedError } from '../errors/domain-error.js';
import { parseCsv, unescapeFormula, escapeFormula, writeCsv, type CsvFormat } from './csv.js';

const FORMAT: CsvFormat = {
  required: ['a', 'b'],
  optional: ['c'],
  ignored: ['d'],
  text: ['b'],
  maxRows: 3,
};

const rowsOf = (text: string): object[] => parseCsv(text, FORMAT);

function errorsOf(text: string): unknown {
  try {
    return rowsOf(text);
  } catch (error) {
    return error instanceof RowsFailedError ? error.details.rows : error;
  }
}

describe('a CSV file', () => {
  it('a CSV file has its columns in any order, and those that are ignored', () => {
    expect(rowsOf('d,b,a\nx,2,1\n')).toEqual([{ line: 2, cells: { b: '2', a: '1' } }]);
  });

  it.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['both', 'a,b\r\n1,2\n3,4'],
    ['a byte order mark', '\uFEFFa,b\n1,2\n3,4\n'],
    ['quotes', '"a","b"\n"1","2"\n"3",4\n'],
  ])('a CSV file may have %s', (_what, text) => {
    expect(rowsOf(text)).toEqual([
      { line: 2, cells: { a: '1', b: '2' } },
      { line: 3, cells: { a: '3', b: '4' } },
    ]);
  });

  it('a CSV file counts physical lines, also empty ones and those within quotes', () => {
    const text = '\r\na,b\r\n\r\n1,"x\r\ny\n"\r\n\n\n2,ñ\n"\n",3\n';
    expect(rowsOf(text)).toEqual([
      { line: 4, cells: { a: '1', b: 'x\r\ny\n' } },
      { line: 9, cells: { a: '2', b: 'ñ' } },
      { line: 10, cells: { b: '3' } },
    ]);
  });

  it('a CSV file has no value where a cell is empty or white space', () => {
    expect(rowsOf('a,b,c\n, \u00a0,"\t\n"\n1," ",\n')).toEqual([{ line: 4, cells: { a: '1' } }]);
  });

  it('a CSV file has no rows where all values are empty, whatever the number of separators', () => {
    const empty = [',', ',,,,', ' ', ' , ,', '"",""', '"",\t', '"\n \n",,', '"", "",'];
    const text = `\n,,,\na,b\n${empty.join('\n')}\n1,2\r\n,\r\n,,\r\n3,4\n,,`;
    expect(rowsOf(text)).toEqual([
      { line: 14, cells: { a: '1', b: '2' } },
      { line: 17, cells: { a: '3', b: '4' } },
    ]);
    expect(rowsOf(`a,b\n${',\n'.repeat(300_000)}1,2\n`)).toHaveLength(1);
  });

  it('a CSV file keeps lines of separators in quotes, and values of quotes alone', () => {
    expect(rowsOf('a,b\n"x\n,,,\n\n",2\n"""",""""""\n')).toEqual([
      { line: 2, cells: { a: 'x\n,,,\n\n', b: '2' } },
      { line: 6, cells: { a: '"', b: '""' } },
    ]);
  });

  it('a CSV file may have columns without a name and without values', () => {
    expect(rowsOf('a,,b, ,""\n1,,2,, \n')).toEqual([{ line: 2, cells: { a: '1', b: '2' } }]);
  });

  it.each([
    ['a\n1\n', { 1: { b: ['column b is required'] } }],
    ['a,b,a\n', { 1: { a: ['column a must not be repeated'] } }],
    ['a,b,B,,\n', { 1: { B: ['column B should not exist'] } }],
    [
      '\na,b,, \n1,2,,\n1,2,3,\n1,2,,4\n',
      {
        2: {
          'column 3': ['column 3 has values, but no name in the header'],
          'column 4': ['column 4 has values, but no name in the header'],
        },
      },
    ],
    ['a;b\n', { 1: expect.objectContaining({ 'a;b': ['column a;b should not exist'] }) }],
    ['a,b,__proto__\n', { 1: { ['__proto__']: ['column __proto__ should not exist'] } }],
    ['a,b\n1,2\n"x\ny\n', { 3: { row: ['row is not valid CSV: check its quotes'] } }],
    ['a,b\n\n1,"2"x\n', { 3: { row: ['row is not valid CSV: check its quotes'] } }],
    ['a,b\n1,2"x\n', { 2: { row: ['row is not valid CSV: check its quotes'] } }],
    ['"a', { 1: { row: ['row is not valid CSV: check its quotes'] } }],
  ])('a CSV file is refused: %j', (text, errors) => {
    expect(errorsOf(text)).toEqual(errors);
  });

  it('a CSV file has no row of white space, also where it was escaped', () => {
    const row = { a: '\n', b: '\n' };
    const file = writeCsv(['a', 'b'], FORMAT, [row, { a: '1', b: '\t' }]);
    expect(file).toBe(`a,b\r\n"\n","'\n"\r\n1,'\t\r\n`);
    expect(rowsOf(file)).toEqual([{ line: 5, cells: { a: '1' } }]);
  });

  it('a CSV file reports rows of another width than the header', () => {
    const problem = { reason: 'malformed', message: 'row must have 2 values, like the header' };
    expect(rowsOf('a,b\n1\n1,2,3\n')).toEqual([
      { line: 2, cells: { a: '1' }, problem },
      { line: 3, cells: { a: '1', b: '2' }, problem },
    ]);
  });

  it('a CSV file reports at most 20 unknown columns, with at most 100 characters of each', () => {
    const header = Array.from({ length: 30 }, (_, n) => `${n}${'x'.repeat(200)}`).join();
    const [errors] = Object.values(errorsOf(`a,b,${header}\n`) as object) as [object];
    expect(Object.keys(errors)).toHaveLength(20);
    expect(Object.keys(errors).every(({ length }) => length === 100)).toBe(true);
  });

  it('a CSV file has a maximum of rows', () => {
    expect(rowsOf(`a,b\n${'1,2\n'.repeat(3)}`)).toHaveLength(3);
    expect(errorsOf(`a,b\n${'1,2\n'.repeat(4)}`)).toBeInstanceOf(PayloadTooLargeException);
  });

  it('a CSV file is read as it was written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const symbols = fc.constantFrom('=1', "'=1", "''", '"', ',', '\n', '\r', '\r\n', '-', '＝');
    const value = fc.array(fc.oneof(text, symbols), { minLength: 1 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 3 }), (pairs) => {
        const rows = pairs.map(([a, b]) => ({ a, b }));
        const read = parseCsv(writeCsv(['a', 'b'], FORMAT, rows), FORMAT);
        const withValues = rows.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([, text]) => text.trim() !== '')),
        );
        expect(read.map(({ cells }) => cells)).toEqual(
          withValues.filter((cells) => Object.keys(cells).length > 0),
        );
      }),
    );
  });
});

describe('text that a spreadsheet would take for a formula', () => {
  it.each(['=1', '+1', '-1', '@a', '\t1', '\r1', '\n1', '＝1', '＋1', '－1', '＠a', "'=1", "''-1"])(
    'text that a spreadsheet would take for a formula begins with an apostrophe: %j',
    (text) => {
      expect(escapeFormula(text)).toBe(`'${text}`);
      expect(unescapeFormula(`'${text}`)).toBe(text);
    },
  );

  it.each(['', 'a', '1', 'a=1', "'a", "''", "'", ' =1'])(
    'text that a spreadsheet would not take for a formula stays as it is: %j',
    (text) => {
      expect(escapeFormula(text)).toBe(text);
      expect(unescapeFormula(text)).toBe(text);
    },
  );
});
