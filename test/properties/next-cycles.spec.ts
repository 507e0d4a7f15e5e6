import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cyclesOfRun, runsWithoutCycle, unusedName } from '../../src/ledger/periods.js';
import { money, type Cents } from '../model/cents.js';
import { cyclesThatFollow, plusDays, type Days } from '../support/forecast-periods.js';
import { repetitions } from '../support/repetitions.js';

interface NamedPeriod extends Days {
  name: string;
  income_amount: string;
}

const days = (from: string, max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((number) => plusDays(from, number));

/** Of any length, or a month, from any day, or a half of one. */
const anyPeriod: fc.Arbitrary<Days> = fc.oneof(
  fc
    .tuple(days('2026-01-01', 200), fc.oneof(fc.integer({ min: 0, max: 45 }), fc.constant(27)))
    .map(([start_date, length]) => ({ start_date, end_date: plusDays(start_date, length) })),
  fc.constantFrom(
    { start_date: '2025-11-01', end_date: '2025-11-30' },
    { start_date: '2026-01-01', end_date: '2026-01-31' },
    { start_date: '2026-02-01', end_date: '2026-02-28' },
    { start_date: '2026-04-01', end_date: '2026-04-15' },
    { start_date: '2026-02-16', end_date: '2026-02-28' },
    { start_date: '2026-03-16', end_date: '2026-03-31' },
    { start_date: '2026-01-15', end_date: '2026-02-14' },
    { start_date: '2026-01-18', end_date: '2026-02-14' },
    { start_date: '2026-02-15', end_date: '2026-03-14' },
    { start_date: '2025-12-28', end_date: '2026-01-27' },
  ),
);

const anyStored = fc.array(
  fc.record({ period: anyPeriod, name: fc.constantFrom('A', '2026-03-01 to 2026-03-31') }),
  { maxLength: 6 },
);

it('the cycles that would follow equal a computation day by day', () => {
  fc.assert(
    fc.property(
      anyStored,
      days('2026-01-01', 250),
      fc.integer({ min: 0, max: 120 }),
      fc.oneof(fc.constant(45), fc.integer({ min: 1, max: 50 })),
      (plans, today, length, maxDays) => {
        const to = plusDays(today, length);
        const stored = plans.map(({ period, name }, index): NamedPeriod => {
          return { ...period, name, income_amount: money(BigInt(index + 1)) };
        });
        const periods = stored.map(({ start_date: startDate, end_date: endDate }) => {
          return { startDate, endDate };
        });
        const used = new Set(stored.map(({ name }) => name));
        const found = runsWithoutCycle(periods, { start: today, end: to }, maxDays).flatMap((run) =>
          cyclesOfRun(run, to, maxDays).map(({ start, end, isCut }) => {
            const name = unusedName({ start, end }, used);
            const income_amount: Cents = isCut
              ? 0n
              : BigInt(run.previous ? periods.indexOf(run.previous) + 1 : 0);
            return { id: null, name, start_date: start, end_date: end, income_amount };
          }),
        );
        expect(found).toEqual(
          cyclesThatFollow({ today, cycleMaxDays: maxDays, cycles: stored }, to),
        );
      },
    ),
    { numRuns: repetitions(1000) },
  );
});
