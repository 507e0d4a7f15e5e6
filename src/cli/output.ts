import { formatTable } from '../common/text-table.js';

type Cell = string | number | boolean | null;

/** A table under the rows' own keys as titles; numbers stand on the right. */
export function printTable(rows: readonly Record<string, Cell>[], whenEmpty: string): void {
  const [first] = rows;
  if (!first) {
    console.log(whenEmpty);
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
