import { formatTable } from './text-table.js';

type Cell = string | number | boolean | null;

/** Prints a table with the keys of the rows as titles; numbers are right-aligned. */
export function printTable(rows: readonly Record<string, Cell>[], emptyMessage: string): void {
  const [first] = rows;
  if (!first) {
    console.log(emptyMessage);
    return;
  }
  const columns = Object.entries(first).map(
    ([title, cell]) => ({ title, align: typeof cell === 'number' ? 'right' : 'left' }) as const,
  );
  const cells = rows.map((row) => Object.values(row).map(cellText));
  console.log(formatTable(columns, cells));
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}

function cellText(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return cell === null ? '' : String(cell);
}
