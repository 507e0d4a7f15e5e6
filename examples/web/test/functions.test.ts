import { describe, expect, it } from 'vitest';
import { isAmount, optionsOf, orNull } from '../src/components/inputs';
import { textsOf } from '../src/texts';

describe('the values of inputs', () => {
  it('are amounts only as the API has them', () => {
    expect(['1234.50', '-0.10'].filter(isAmount)).toHaveLength(2);
    expect(['1,234.50', '12.5', '', null].filter(isAmount)).toEqual([]);
  });

  it('are null instead of empty', () => {
    expect([orNull(''), orNull('Rent')]).toEqual([null, 'Rent']);
  });

  it('have labels', () => {
    expect(optionsOf({ fixed: 'Fixed' })).toEqual([{ value: 'fixed', label: 'Fixed' }]);
  });
});

describe('the texts', () => {
  it('name the pages in both languages', () => {
    expect([textsOf('en').nav.overview, textsOf('es').nav.overview]).toEqual([
      'Overview',
      'Resumen',
    ]);
  });
});
