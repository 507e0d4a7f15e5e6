import fc from 'fast-check';

/** Values that often cause errors, as JSON text; some are not valid JSON. */

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eabc\u202c',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦🇲🇽',
  '\ufeff\u200b',
  '\u2028\u2029',
  'ﬃİıß',
  "'; DROP TABLE users; --",
  '%s%n%d${1}{{1}}',
  '<script>alert(1)</script>',
  '\\u0000',
  '\r\nX-Injected: 1',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  'true',
  '0x10',
  '1e5',
  '1_000',
  '１２',
  '٣',
  '+1',
  '-0',
  '.5',
  '5.',
  '0.001',
  '1,5',
  '999999999.99',
  '1000000000',
  '1000000000.00',
  '0.00',
  '00000000000000000000001',
];

const HOSTILE_DATES = [
  '2026-02-30',
  '2024-02-29',
  '0000-01-01',
  '9999-12-31',
  '1899-12-31',
  '1900-01-01',
  '2999-12-31',
  '3000-01-01',
  '-000001-01-01',
  '+275760-09-13',
  '2026-1-1',
  '2026-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-01-01T00:00:00+99:99',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '1969-12-31T23:59:59.999999999Z',
  'infinity',
  'now',
];

/** Some are not valid JSON. */
const HOSTILE_NUMBERS = [
  '0',
  '-0',
  '-0.0',
  '-1',
  '0.1',
  '1e2',
  '1E-2',
  '1e400',
  '-1e400',
  '1e-400',
  '5e-324',
  '1.7976931348623157e308',
  '9007199254740991',
  '9007199254740993',
  '2147483648',
  '9223372036854775808',
  '999999999.99',
  '999999999.995',
  '1000000000',
  '0.01',
  '0.005',
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
  '01',
  '+1',
  '.5',
  '5.',
  'NaN',
  'Infinity',
  '0x10',
];

const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'a.b',
];

const LONG_LENGTHS = [101, 256, 501, 1001, 10_001, 90_000];

export const longTexts = fc
  .tuple(
    fc.constantFrom('a', 'é', '👍', ' ', '\u0301', '"', '\u0001'),
    fc.constantFrom(...LONG_LENGTHS),
  )
  .map(([letter, length]) => letter.repeat(length));

export const hostileTexts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_DATES) },
  { weight: 1, arbitrary: longTexts },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

export const hostileKeys = fc.constantFrom(...HOSTILE_KEYS);

/** Serializes a string as JSON; lone surrogates are escaped. */
const asJson = (value: unknown): string => JSON.stringify(value);

/** Nested values up to the maximum size of a body, most of them flat. */
const nested = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '{"__proto__":', '[{"constructor":'),
    fc.constantFrom(2, 9, 3000),
  )
  .map(([open, depth]) => {
    const close = [...open].reverse().map((sign) => ({ '[': ']', '{': '}' })[sign] ?? '');
    return open.repeat(depth) + '1' + close.join('').repeat(depth);
  });

/** Any of these values, or a value of another type. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileTexts.map(asJson) },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{}', '""', '[null]') },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: hostileKeys.map((key) => `{${asJson(key)}:{"polluted":true}}`) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  // Not JSON
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'undefined', "'x'", '"\u0000"', '"\\ud800"', '"\\x"'),
  },
);
