import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shownDescription } from './description.js';

describe('a description in a mail', () => {
  it.each([
    'Water',
    'Súper, 2.5 kg',
    'Renta: enero',
    'Luz (CFE) 10:30 #4, 50% & más... "sí"',
    'Dr. García, 20.11.2026',
    'Fin.',
    '水道 1.234,56',
    '👩‍👩‍👧‍👦 ❤️ می‌خواهم',
  ])('is as it was written: %s', (text) => {
    expect(shownDescription(text)).toBe(text);
  });

  it.each([
    ['https://example.com/a?b=c', 'https: //example. com/a?b=c'],
    ['HTTPS://EXAMPLE.COM', 'HTTPS: //EXAMPLE. COM'],
    ['http://10.0.0.1:80/', 'http: //10. 0.0.1:80/'],
    ['s3://x', 's3: //x'],
    ['www.example.com', 'www. example. com'],
    ['www._x.mx', 'www. _x. mx'],
    ['example.com', 'example. com'],
    ['shop24.7eleven.mx', 'shop24.7eleven. mx'],
    ['ñandú.рф', 'ñandú. рф'],
    ['example。com', 'example。 com'],
    ['ana@example.com', 'ana@ example. com'],
    ['mailto:ana@localhost', 'mailto: ana@ localhost'],
    ['tel:+525512345678', 'tel: +525512345678'],
    ['javascript:alert(1)', 'javascript: alert(1)'],
    [String.raw`\\server\share`, String.raw`\ \ server\ share`],
    ['exa\u200bmple\u2060.\u200dcom', 'example. \u200dcom'],
    ['S.A. de C.V.', 'S. A. de C. V.'],
  ])('has no address: %s', (text, shown) => {
    expect(shownDescription(text)).toBe(shown);
  });

  it.each([
    ['a\r\nb\n\n\tc\u2028d\u0085e\u00a0f', 'a b c d e f'],
    [' a\u0000b\u0007 ', 'a b'],
    ['\u202eabc\u202c\u2066d\u2069\u200f\u061c', 'abcd'],
    ['a\ud800b', 'ab'],
    [' \u200b\u3164 ', '…'],
  ])('is one line of visible characters: %j', (text, shown) => {
    expect(shownDescription(text)).toBe(shown);
  });

  it('is cut to 60 characters, between those that a reader sees', () => {
    expect(shownDescription('a'.repeat(60))).toBe('a'.repeat(60));
    expect(shownDescription('a'.repeat(61))).toBe(`${'a'.repeat(59)}…`);
    expect(shownDescription('😀'.repeat(61))).toBe(`${'😀'.repeat(59)}…`);
    // Each has 7 code points.
    expect(shownDescription('👩‍👩‍👧‍👦'.repeat(9))).toBe(`${'👩‍👩‍👧‍👦'.repeat(8)}…`);
    expect(shownDescription(`${'a'.repeat(58)}e\u0301\u0301`)).toBe(`${'a'.repeat(58)}…`);
    expect(shownDescription(`a${'\u0301'.repeat(5000)}`)).toBe(`a${'\u0301'.repeat(58)}…`);
    expect(shownDescription(`${'a'.repeat(58)} bcd`)).toBe(`${'a'.repeat(58)}…`);
  });

  it('is short, one line, and no address, whatever the text', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'http://',
        'www.',
        'example.com',
        'a@b.mx',
        '://',
        '\\\\',
        '\u200d',
        '\u200b',
      ),
      fc.constantFrom('.', '@', ':', '/', 'com', '1', ' ', '\n', '\u202e', '😀', '\u0301', '．'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 100 }), (parts) => {
        const shown = shownDescription(parts.join(''));
        expect(shown).not.toBe('');
        expect(Array.from(shown).length).toBeLessThanOrEqual(60);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/u);
        expect(shown).not.toMatch(/^\s|\s$|\s\s/);
        expect(shown).not.toMatch(/:\/\/|www\.\w|\.[a-z]|@(?!…$)\S|\d\.\d+\.\d+\.\d/i);
      }),
      { numRuns: 2000 },
    );
  });
});
