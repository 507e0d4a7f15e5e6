import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { warningMessage, type Schemas } from '../../clients/typescript/src/index.js';
import { ENGLISH_WARNINGS } from '../../clients/typescript/src/warnings.en.js';
import { SPANISH_WARNINGS } from '../../clients/typescript/src/warnings.es.js';

type Warning = Schemas['WarningResponse'] | Schemas['ForecastWarningResponse'];

const { components } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as { components: { schemas: Record<string, { enum?: string[] }> } };

const languages = [
  ['en', ENGLISH_WARNINGS],
  ['es', SPANISH_WARNINGS],
] as const;

const warning = (code: Warning['code'], details: Record<string, unknown>): Warning => ({
  code,
  message: 'For people who read English',
  details,
});

const expectTexts = (each: Warning, texts: [english: string, spanish: string]): void => {
  expect([warningMessage(each, 'en-US'), warningMessage(each, 'es-MX')]).toEqual(texts);
};

const december = { name: 'December', start_date: '2025-12-01', end_date: '2026-01-11' };
const entries = (...names: string[]): object[] => names.map((description) => ({ description }));

describe('the warnings of the TypeScript client', () => {
  it.each(languages)(
    'the warnings of the TypeScript client in %s are those of the codes of the document',
    (_, { preview, forecast }) => {
      const codesOf = (schema: string): string[] => components.schemas[schema]?.enum ?? [];
      expect(codesOf('WarningCode')).toContain('over_limit');
      expect(Object.keys(preview).sort()).toEqual(codesOf('WarningCode').sort());
      expect(codesOf('ForecastWarningCode')).toContain('ended_cycles');
      expect(Object.keys(forecast).sort()).toEqual(codesOf('ForecastWarningCode').sort());
    },
  );

  it.each(languages)(
    'the warnings of the TypeScript client in %s are sentences with the same values',
    (_, { preview, forecast, cases, parts }) => {
      for (const text of [preview, forecast, cases].flatMap((table) => Object.values(table))) {
        expect(text).toMatch(/^[\p{Lu}{1].{5,110}\.$/u);
      }
      const valuesOf = (table: Record<string, string>): unknown =>
        Object.fromEntries(
          Object.entries(table).map(([name, text]) => [name, text.match(/\{\w+\}/g)?.sort()]),
        );
      expect([preview, forecast, cases, parts].map(valuesOf)).toEqual(
        [
          ENGLISH_WARNINGS.preview,
          ENGLISH_WARNINGS.forecast,
          ENGLISH_WARNINGS.cases,
          ENGLISH_WARNINGS.parts,
        ].map(valuesOf),
      );
    },
  );

  it.each<[Schemas['WarningCode'], Record<string, unknown>, string, string]>([
    [
      'name_taken',
      { cycles: [december] },
      'Another cycle has this name.',
      'Otro ciclo tiene este nombre.',
    ],
    [
      'overlaps_cycle',
      { cycles: [december, { ...december, start_date: '2026-01-12', end_date: '2026-01-12' }] },
      'Another cycle has some of these days: Dec 1, 2025 – Jan 11, 2026, Jan 12, 2026.',
      'Otro ciclo tiene algunos de estos días: 1 dic 2025 – 11 ene 2026, 12 ene 2026.',
    ],
    [
      'gap_to_previous',
      { cycles: [december], days: 7 },
      '7 days between it and the previous cycle, Dec 1, 2025 – Jan 11, 2026, would be in no cycle.',
      '7 días entre este ciclo y el anterior, 1 dic 2025 – 11 ene 2026, no estarían en ningún ciclo.',
    ],
    [
      'gap_to_previous',
      { cycles: [december], days: 1 },
      '1 day between it and the previous cycle, Dec 1, 2025 – Jan 11, 2026, would be in no cycle.',
      '1 día entre este ciclo y el anterior, 1 dic 2025 – 11 ene 2026, no estaría en ningún ciclo.',
    ],
    [
      'inactive_payment_method',
      { payment_methods: [{ name: 'Visa' }, { name: 'Cash' }] },
      'Recurring entries use payment methods that are not active: Visa, Cash.',
      'Hay recurrentes con formas de pago que no están activas: Visa, Cash.',
    ],
    [
      'future_rate',
      { entries: entries('Rent', 'Rent', '$& {days}') },
      'Converted at exchange rates later than their dates: Rent, $& {days}.',
      'Se convierten con un tipo de cambio posterior a su fecha: Rent, $& {days}.',
    ],
    [
      'stale_rate',
      { entries: entries('A', 'B', 'C', 'D', 'E', 'A') },
      'Converted at exchange rates more than 35 days old: A, B, C and 2 more. Their amounts in dollars may change.',
      'Se convierten con un tipo de cambio de hace más de 35 días: A, B, C y 2 más. Su monto en dólares puede cambiar.',
    ],
    [
      'negative_balance',
      {
        first: { date: '2026-02-20', balance_usd: '-12.20' },
        lowest: { date: '2026-02-28', balance_usd: '-1312.20' },
      },
      'The balance falls below zero on Feb 20, 2026. Lowest: \u2212$1,312.20, Feb 28, 2026.',
      'El saldo cae por debajo de cero el 20 feb 2026. Lo más bajo: \u2212US$1,312.20, 28 feb 2026.',
    ],
    [
      'over_limit',
      { budgets: [{ budget: { name: 'Car' }, limit: '500.00', total_amount: '575.50' }] },
      'More is planned than the limit: Car ($575.50 of $500.00).',
      'Se planea más que el límite: Car (US$575.50 de US$500.00).',
    ],
    [
      'over_limit',
      {
        budgets: [
          ...[
            { budget: { name: 'Car' }, currency: 'MXN', limit: '500.00', total_amount: '575.50' },
          ],
        ],
      },
      'More is planned than the limit: Car (575.50 MXN of 500.00 MXN).',
      'Se planea más que el límite: Car (575.50 MXN de 500.00 MXN).',
    ],
  ])(
    'the warning %s of a preview has texts of the TypeScript client',
    (code, details, ...texts) => {
      expectTexts(warning(code, details), texts);
    },
  );

  it.each<[Schemas['ForecastWarningCode'], Record<string, unknown>, string, string]>([
    [
      'negative_balance',
      {
        first: { date: '2026-02-20', balance: '-12.20' },
        lowest: { date: '2026-02-28', balance: '-1312.20' },
      },
      'The balance falls below zero on Feb 20, 2026. Lowest: \u22121,312.20, Feb 28, 2026.',
      'El saldo cae por debajo de cero el 20 feb 2026. Lo más bajo: \u22121,312.20, 28 feb 2026.',
    ],
    [
      'negative_balance',
      {
        first: { date: '2026-02-20', balance: '0.00' },
        lowest: { date: '2026-02-28', balance: '-0.05' },
      },
      'The balance falls below the minimum on Feb 20, 2026. Lowest: \u22120.05, Feb 28, 2026.',
      'El saldo cae por debajo del mínimo el 20 feb 2026. Lo más bajo: \u22120.05, 28 feb 2026.',
    ],
    [
      'stale_rate',
      { entries: entries('Rent', 'Phone', 'Rent'), more: 0 },
      'Converted at exchange rates more than 35 days old: Rent, Phone. Their amounts in dollars may change.',
      'Se convierten con un tipo de cambio de hace más de 35 días: Rent, Phone. Su monto en dólares puede cambiar.',
    ],
    [
      'stale_rate',
      // Those that are not listed may be the same ones on other days.
      { entries: entries('Rent', 'Phone', 'Rent'), more: 30 },
      'Converted at exchange rates more than 35 days old: Rent, Phone and others. Their amounts in dollars may change.',
      'Se convierten con un tipo de cambio de hace más de 35 días: Rent, Phone y otros. Su monto en dólares puede cambiar.',
    ],
    [
      'inactive_payment_method',
      { payment_methods: [{ name: 'Visa' }, { name: null }], more: 0 },
      'Recurring entries use payment methods that are not active: Visa.',
      'Hay recurrentes con formas de pago que no están activas: Visa.',
    ],
    [
      'days_without_cycle',
      {
        periods: [
          { from: '2028-02-28', to: '2028-02-29' },
          { from: '2028-04-01', to: '2028-04-01' },
        ],
        more: 0,
      },
      'No cycle has these days: Feb 28, 2028 – Feb 29, 2028, Apr 1, 2028.',
      'Ningún ciclo tiene estos días: 28 feb 2028 – 29 feb 2028, 1 abr 2028.',
    ],
    [
      'ended_cycles',
      {
        cycles: ['A', 'B', 'C', 'D'].map((name) => ({ name, end_date: '2026-01-11' })),
        more: 3,
      },
      'Cycles that have ended are not completed: A, B, C and 4 more.',
      'Hay ciclos que terminaron y no se han cerrado: A, B, C y 4 más.',
    ],
    [
      'overlaps_cycle',
      { cycles: [december, { ...december, name: 'January' }], more: 0 },
      'These cycles share days: December, January.',
      'Estos ciclos comparten días: December, January.',
    ],
    [
      'inactive_balance',
      { payment_methods: [{ name: 'Old card', amount: '12.50' }], more: 0 },
      'Balances of payment methods that are not active do not count: Old card.',
      'Hay saldos de formas de pago que no están activas, y no cuentan: Old card.',
    ],
    [
      'open_in_completed_cycles',
      {
        cycles: [
          {
            ...{ name: 'January', expense_count: 2, expenses: '35.00' },
            ...{ income_count: 0, incomes: '0.00' },
          },
        ],
        more: 1,
      },
      'Completed cycles have open expenses or incomes, which do not count: January and 1 more.',
      'Hay ciclos cerrados con gastos o ingresos pendientes, que no cuentan: January y 1 más.',
    ],
    [
      'repeated_income_amount',
      { cycle: { name: 'January' }, income_amount: '200.00', times: 4, total: '800.00' },
      'The income amount of January, $200.00, counts 4 times in cycles to come: $800.00 in all.',
      'El ingreso de January, US$200.00, cuenta 4 veces en los ciclos siguientes: US$800.00 en total.',
    ],
    [
      'days_in_completed_cycles',
      { periods: [{ from: '2028-02-28', to: '2028-02-29' }], more: 0 },
      'Only completed cycles have these days, so nothing counts on them: Feb 28, 2028 – Feb 29, 2028.',
      'Solo ciclos cerrados tienen estos días, en los que nada cuenta: 28 feb 2028 – 29 feb 2028.',
    ],
  ])(
    'the warning %s of a forecast has texts of the TypeScript client',
    (code, details, ...texts) => {
      expectTexts(warning(code, details), texts);
    },
  );

  it('a warning has the dates and amounts of its locale from the TypeScript client', () => {
    const negative = warning('negative_balance', {
      first: { date: '2026-02-20', balance_usd: '-12.20' },
      lowest: { date: '2026-02-20', balance_usd: '-12345.20' },
    });
    expect(warningMessage(negative, 'de')).toBe(
      'The balance falls below zero on 20.02.2026. Lowest: \u2212$12.345,20, 20.02.2026.',
    );
    expect(() => warningMessage(negative, 'no locale')).toThrow(RangeError);
  });

  it('a warning of a newer service is as the service says it in the TypeScript client', () => {
    for (const code of ['new', 'toString', '__proto__']) {
      const newer = warning(code as 'name_taken', {});
      expectTexts(newer, [newer.message, newer.message]);
    }
  });

  it('a warning without its details is a sentence of the TypeScript client all the same', () => {
    for (const code of Object.keys(ENGLISH_WARNINGS.preview)) {
      expect(warningMessage(warning(code as 'name_taken', {}), 'en')).not.toMatch(/undefined|\{/);
    }
  });
});
