import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instantOf } from './instant.js';

describe('an instant', () => {
  it.each([
    ['2026-11-21 15:04:05.678+00', '2026-11-21T15:04:05.678Z'],
    ['2026-11-21 15:04:05.6+00', '2026-11-21T15:04:05.600Z'],
    ['2026-11-21 15:04:05+00', '2026-11-21T15:04:05.000Z'],
    ['2026-11-21 15:04:05.678999+00', '2026-11-21T15:04:05.678Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ])('an instant is read from %s', (stored, instant) => {
    expect(instantOf(stored)).toBe(instant);
  });

  it.each([
    '10000-01-01 00:00:00+00',
    '0044-03-15 00:00:00+00 BC',
    'infinity',
    '2026-11-21 15:04:05+02',
  ])('an instant is left to others in %s', (stored) => {
    expect(instantOf(stored)).toBeUndefined();
  });

  it('an instant is that of a Date of the same moment', () => {
    const max = new Date('9999-12-31T23:59:59.999Z');
    const min = new Date('0001-01-01T00:00:00.000Z');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        const instant = date.toISOString();
        const stored = instant.replace('T', ' ').replace(/\.?0*Z$/, '+00');
        expect(instantOf(stored)).toBe(instant);
      }),
    );
  });
});
