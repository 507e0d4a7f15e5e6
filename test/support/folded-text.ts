/**
 * SQL: a text as `GET /expenses?q=` compared it before descriptions were stored in this form,
 * without case, accents and different white space.
 */
export const foldedTextSql = (text: string): string =>
  `lower(replace(replace(translate(regexp_replace(
    regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'), '${WHITE_SPACE}+', ' ', 'g'),
    'ØøŁłĐđĦħ', 'OoLlDdHh'), 'ß', 'ss'), 'ẞ', 'ss'))`;

const WHITE_SPACE = String.raw`[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/** Texts with accents, case, white space and characters that have a meaning in patterns. */
export const UNUSUAL_TEXTS: readonly string[] = [
  ...['', ' ', '%', '_', '\\', '100 % _real_', 'a%b', 'a\\b', "D'Arc", '$1', '.*', '[a-z]+', '^$'],
  ...[
    'Súper',
    'SU\u0301PER',
    'su\u0301\u0308per',
    '\u0301',
    'ñandú ÑANDÚ',
    'Ǆ ǅ ǆ',
    'ﬁn',
    'Ⅷ',
    '①',
  ],
  ...[
    'Straße',
    'STRAẞE',
    'strasse',
    'Øre Łódź Đà Ħal',
    'øre łódź đà ħal',
    'İstanbul ıI',
    'ΣΊΣΥΦΟΣ',
  ],
  ...[
    'Taxi  centro',
    'Taxi\u00a0 centro',
    'Taxi\t\u2009\u3000centro',
    '\u2003x\u2003',
    'a\r\n\u0085b',
  ],
  ...['咖啡', 'Жук й', '각 각', 'क़', '👩‍👩‍👧 🇲🇽', '𝒜 𐐀', 'a\u200bb', '\ufeffx', 'x\u0345'],
];
