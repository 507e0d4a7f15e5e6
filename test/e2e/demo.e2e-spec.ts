import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { useProcesses } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/operators/demo/main.js', import.meta.url));

describe('the demo', () => {
  const processes = useProcesses();

  it('the demo prints a cycle with paid and pending expenses, and what to try next', async () => {
    const { code, output } = await processes.run({}, undefined, MAIN).end();
    expect(code).toBe(0);
    expect(output).toMatch(/^[\d-]{10} +Paycheck +1450\.00 USD +1450\.00$/m);
    expect(output).toMatch(/^[\d-]{10} +Súper +\d+\.\d\d MXN +\d+\.\d\d +Efectivo +paid$/m);
    expect(output).toMatch(/^[\d-]{10} .* pending$/m);
    expect(output).toMatch(/^Remaining +-?\d+\.\d\d$/m);
    expect(output.trimEnd().split('\n').at(-1)).toContain('npm run sandbox');
  });
});
