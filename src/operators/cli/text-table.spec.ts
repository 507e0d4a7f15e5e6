import { describe, expect, it } from '@jest/globals';
import { formatTable } from './text-table.js';

const COLUMNS = [
  { title: 'Date', align: 'left' },
  { title: 'USD', align: 'right' },
  { title: 'Paid', align: 'left' },
] as const;

describe('formatTable', () => {
  it('formatTable makes each column as wide as its widest cell, the title included', () => {
    const rows = [
      ['2026-02-01', '1200.00', 'yes'],
      ['2026-02-08', '40.62', 'no'],
    ];
    expect(formatTable(COLUMNS, rows).split('\n')).toEqual([
      'Date            USD  Paid',
      '----------  -------  ----',
      '2026-02-01  1200.00  yes',
      '2026-02-08    40.62  no',
    ]);
  });

  it('formatTable leaves a cell empty that a row does not have, and nothing at the end of a line', () => {
    expect(formatTable(COLUMNS, [['2026-02-01'], []]).split('\n')).toEqual([
      'Date        USD  Paid',
      '----------  ---  ----',
      '2026-02-01',
      '',
    ]);
  });

  it('formatTable returns the titles alone where there are no rows', () => {
    expect(formatTable(COLUMNS, [])).toBe('Date  USD  Paid\n----  ---  ----');
  });
});
