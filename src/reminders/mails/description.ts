/** The characters of a description in a mail. */
const MAX_CHARACTERS = 60;

/**
 * Characters that are not shown, such as those that change the direction of text, and lone
 * surrogates; without the joiners and selectors of emoji and of some scripts.
 */
const INVISIBLE = /(?![\u200c\u200d\ufe0e\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cs}]/gu;
/** Line breaks, too. */
const BLANKS = /[\s\p{Cc}]+/gu;

/**
 * What joins the parts of an address of the web or of mail: `.` before a letter, digit or `_`,
 * unless both sides are digits, as in 2.5, and these are not an IP address; `@`, `\` and, after a
 * letter or before `//`, `:`.
 */
const JOINTS = new RegExp(
  [
    String.raw`[.\u2024\u3002\uff0e\uff61](?!(?<=\p{Nd}.)\p{Nd})(?=[\p{L}\p{N}_\u200c\u200d])`,
    String.raw`\.(?=\d+\.\d+\.\d)`,
    String.raw`[@\uff20\\](?=\S)`,
    String.raw`(?<=\p{L}):(?=\S)|:(?=//)`,
  ].join('|'),
  'gu',
);

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader sees as one character each. */
export const charactersOf = (text: string): string[] =>
  Array.from(characters.segment(text), ({ segment }) => segment);

/**
 * A description on one line, of at most 60 characters. Mail clients make a link of whatever looks
 * like an address, so a space parts it: `example. com`, `https: //example. com`, `ana@ example. com`.
 */
export function shownDescription(description: string): string {
  const text = description
    .replaceAll(INVISIBLE, '')
    .replaceAll(JOINTS, '$& ')
    .replaceAll(BLANKS, ' ')
    .trim();
  return text === '' ? '…' : cut(text);
}

/** Ends with an ellipsis where it is cut, between characters as readers see them. */
function cut(text: string): string {
  if (Array.from(text).length <= MAX_CHARACTERS) return text;
  let kept = '';
  let left = MAX_CHARACTERS - 1;
  for (const { segment } of characters.segment(text)) {
    const codePoints = Array.from(segment);
    // The first one can be a letter with any number of marks.
    if (codePoints.length > left) kept ||= codePoints.slice(0, left).join('');
    left -= codePoints.length;
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
