import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { useProcesses } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/operators/demo/main.js', import.meta.url));

describe('the demo', () => {
  const processes = useProcesses();

  it('the demo prints a cycle with paid and pending expenses, what is left of its budgets, what there is now, what the card takes, what is left until each pay day, and what to try next', async () => {
    const { code, output } = await processes.run({}, undefined, MAIN).end();
    expect(code).toBe(0);
    expect(output).toMatch(/^[\d-]{10} +Paycheck +1012\.50 USD +1012\.50$/m);
    expect(output).toMatch(
      /^[\d-]{10} +Weekly groceries +\d+\.\d\d MXN +\d+\.\d\d +Debit card +paid$/m,
    );
    expect(output).toMatch(/^[\d-]{10} +Dentist +1100\.00 MXN +59\.96 +Debit card +overdue$/m);
    expect(output).toMatch(/^[\d-]{10} .* pending$/m);
    expect(output).toMatch(/^Remaining +-?\d+\.\d\d$/m);
    expect(output).toMatch(/^Eating out +1400\.00 +1530\.00 MXN +120\.00 +-10\.00$/m);
    expect(output).toMatch(/^Transport +275\.00 +\d+\.\d\d USD +0\.00 +-?\d+\.\d\d$/m);
    expect(output).toMatch(/^None +\d+\.\d\d USD +0\.00$/m);
    expect(output).toMatch(/^Debit card +4260\.00 MXN$/m);
    expect(output).toMatch(/^Total +\d+\.\d\d USD$/m);
    const [, statements = ''] =
      /^What Credit card takes\n[^]*?---$\n([^]*?)\n\n/m.exec(output) ?? [];
    const amounts = / +(closed|open) +(450|0)\.00 +\d+\.\d\d MXN +\d+\.\d\d$/;
    const taken = statements.split('\n');
    expect(taken.length).toBeGreaterThanOrEqual(3);
    expect(taken.filter((row) => !amounts.test(row))).toEqual([]);
    const [, windows = ''] = /^Left until each pay day[^]*?---$\n([^]*?)\n\n/m.exec(output) ?? [];
    const rows = windows.split('\n').map((row) => row.split(/ +/));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.length !== 6)).toEqual([]);
    for (const [from, , , , left, free] of rows) {
      expect([from, Number(left) > 0, Number(free) > 0]).toEqual([from, true, true]);
    }
    expect(output.trimEnd().split('\n').at(-1)).toContain('npm run sandbox');
  });
});
