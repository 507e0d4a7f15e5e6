import { readFileSync } from 'node:fs';

/** The text of docs/concepts.md. */
export const CONCEPTS = readFileSync(new URL('../../docs/concepts.md', import.meta.url), 'utf8');

/** The text of docs/concepts.md between the comments of an example. */
export function documentedExample(name: string): string {
  const [, example = ''] =
    new RegExp(`<!-- ${name}:begin.*?-->(.*)<!-- ${name}:end -->`, 's').exec(CONCEPTS) ?? [];
  return example;
}

/** The cells of the rows of the table whose first column has a title, without its head. */
export function documentedRows(example: string, title: string): string[][] {
  const [, table = ''] = new RegExp(`^(\\| ${title} .*?)\\n\\n`, 'ms').exec(example) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').slice(1, -1));
  return rows.slice(2).map((row) => row.map((cell) => cell.trim()));
}
