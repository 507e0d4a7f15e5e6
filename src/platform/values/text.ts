/**
 * White space, and characters that are not shown by themselves, such as U+200B and U+2800, a
 * braille pattern without dots.
 */
const INVISIBLE = String.raw`[\s\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;
const BLANK = new RegExp(`^${INVISIBLE}+$`, 'u');
const HAS_INVISIBLE = new RegExp(INVISIBLE, 'u');

/** Text of white space and invisible characters alone; not the empty text. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/** Text with white space or an invisible character. */
export const hasInvisible = (text: string): boolean => HAS_INVISIBLE.test(text);

/** Compares by code units, so that the order does not depend on a locale; dates by time. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by code points, like the collation "C" of the database. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
