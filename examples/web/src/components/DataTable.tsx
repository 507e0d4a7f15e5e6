import type { ReactNode } from 'react';
import { Table } from '@mantine/core';

export interface Column<Item> {
  title?: ReactNode;
  cell: (item: Item) => ReactNode;
  /** A number or a button, which stands at the end. */
  isEnd?: boolean;
  /** The smallest screens that show it; all if left out. */
  from?: 'sm' | 'md';
}

interface RowGroup<Item> {
  title?: ReactNode;
  items: readonly Item[];
}

interface DataTableProps<Item> {
  label: string;
  columns: Column<Item>[];
  /** Those without items are left out. */
  groups: RowGroup<Item>[];
}

/** A table whose less important columns are left out on small screens. */
export function DataTable<Item>({ label, columns, groups }: DataTableProps<Item>) {
  const layout = ({ isEnd, from }: Column<Item>) => ({
    visibleFrom: from,
    className: isEnd ? 'num' : undefined,
  });
  return (
    <Table aria-label={label} verticalSpacing={6} horizontalSpacing="sm" mb="sm">
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, i) =>
            column.title ? (
              <Table.Th key={i} {...layout(column)}>
                {column.title}
              </Table.Th>
            ) : (
              <Table.Td key={i} {...layout(column)} />
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      {groups.map(({ title, items }, group) => (
        <Table.Tbody key={group} hidden={items.length === 0}>
          {title && (
            <Table.Tr bg="var(--sunken)">
              <Table.Th colSpan={columns.length} scope="rowgroup">
                {title}
              </Table.Th>
            </Table.Tr>
          )}
          {items.map((item, row) => (
            <Table.Tr key={row}>
              {columns.map((column, i) => (
                <Table.Td key={i} {...layout(column)}>
                  {column.cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      ))}
    </Table>
  );
}
