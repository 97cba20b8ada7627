import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** In front of buttons there is no need for a heading; it is still there for screen readers. */
  isHeaderHidden?: boolean;
  /** Breaks within words, rather than be wide. */
  isLong?: boolean;
  align?: 'right';
  width?: string;
}

interface Props<T> {
  /** What the table lists. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** The page of a row; the first cell leads there, and so does the rest of the row. */
  linkOf?: (row: T) => string;
}

/** Rows and columns; on a narrow screen each row is a block whose cells name their columns. */
export function DataTable<T>({ caption, columns, rows, keyOf, linkOf }: Props<T>) {
  return (
    <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md" highlightOnHover={linkOf !== undefined}>
      <Table.Caption className="hidden-caption">{caption}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ header, isHeaderHidden, align, width }) => (
            <Table.Th key={header} ta={align} w={width}>
              <span className={isHeaderHidden ? 'visually-hidden' : undefined}>{header}</span>
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ header, cell, align, isHeaderHidden, isLong }, i) => (
              <Table.Td
                key={header}
                ta={align}
                data-label={isHeaderHidden || i === 0 ? undefined : header}
                data-long={isLong}
              >
                {i === 0 && linkOf ? (
                  <Link to={linkOf(row)} className="row-link">
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
