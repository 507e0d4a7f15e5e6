import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { useProcesses } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/operators/demo/main.js', import.meta.url));

describe('the demo', () => {
  const processes = useProcesses();

  it('the demo prints a cycle with paid and pending expenses, what is left of its budgets, what is left until each pay day, and what to try next', async () => {
    const { code, output } = await processes.run({}, undefined, MAIN).end();
    expect(code).toBe(0);
    expect(output).toMatch(/^[\d-]{10} +Quincena, día 15 +16812\.40 MXN +840\.62$/m);
    expect(output).toMatch(/^[\d-]{10} +Súper +\d+\.\d\d MXN +\d+\.\d\d +BBVA Débito +paid$/m);
    expect(output).toMatch(/^[\d-]{10} .* pending$/m);
    expect(output).toMatch(/^Remaining +-?\d+\.\d\d$/m);
    expect(output).toMatch(/^Despensa +450\.00 +482\.00 +-32\.00$/m);
    expect(output).toMatch(/^Suscripciones +\d+\.\d\d$/m);
    expect(output).toMatch(/^Transporte +250\.00 +135\.00 +115\.00$/m);
    const [, windows = ''] = /^Left until each pay day[^]*?---$\n([^]*?)\n\n/m.exec(output) ?? [];
    const rows = windows.split('\n').map((row) => row.split(/ +/));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.length !== 6)).toEqual([]);
    const [first, , third] = rows;
    expect(first?.[5]).toBe('0.00');
    expect(third?.[4]).toMatch(/^-\d+\.\d\d$/);
    expect(output.trimEnd().split('\n').at(-1)).toContain('npm run sandbox');
  });
});
