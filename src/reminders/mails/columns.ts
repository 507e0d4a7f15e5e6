import { charactersOf } from './description.js';

/** The characters of a line. */
const WIDTH = 54;
const INDENT = '  ';
/** The least width of the amounts, with a space before them. */
const MIN_AMOUNT_WIDTH = 14;

/** A day, what is on it, and its amount. */
export interface Row {
  day: string;
  description: string;
  amount: string;
}

/** The widths of what has the same one in all lists of a mail. */
export interface ColumnWidths {
  day: number;
  amount: number;
}

export const widthsOf = (rows: readonly Row[]): ColumnWidths => ({
  day: Math.max(0, ...rows.map(({ day }) => day.length)),
  amount: Math.max(MIN_AMOUNT_WIDTH, ...rows.map(({ amount }) => amount.length + 1)),
});

/** The lines of a row: amounts to the right, and a long description goes on below itself. */
export function linesOf({ day, description, amount }: Row, widths: ColumnWidths): string[] {
  const before = `${INDENT}${day.padEnd(widths.day)}${INDENT}`;
  const width = WIDTH - before.length - widths.amount;
  const [first = '', ...others] = wrap(description, width);
  const gap = ' '.repeat(width - charactersOf(first).length);
  return [
    before + first + gap + amount.padStart(widths.amount),
    ...others.map((line) => ' '.repeat(before.length) + line),
  ];
}

/** Breaks between words, and within those that are longer than a line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  for (const word of text.split(' ').map(charactersOf)) {
    if (line.length > 0 && line.length + 1 + word.length > width) {
      lines.push(line.join(''));
      line = [];
    }
    if (line.length > 0) line.push(' ');
    line.push(...word);
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width).join(''));
  }
  return [...lines, line.join('')];
}
