import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** In front of buttons there is no need for a heading; it is still there for screen readers. */
  isHeaderHidden?: boolean;
  /** Left out where there is no room for all of them. */
  isMinor?: boolean;
  align?: 'right';
  /** Columns without one share what is left. */
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
  /** These are still those of before: what was asked for is on its way. */
  isStale?: boolean;
}

/** So many columns need more room than others. */
const MANY = 6;

/**
 * Rows and columns, never wider than their place: what is long breaks. In a narrow place each row is a block whose cells name
 * their columns.
 */
export function DataTable<T>({ caption, columns, rows, keyOf, linkOf, isStale = false }: Props<T>) {
  const isMany = columns.filter(({ isMinor }) => !isMinor).length >= MANY;
  return (
    <div className="data-table-place" data-many={isMany || undefined}>
      <Table
        className="data-table"
        aria-busy={isStale}
        layout="fixed"
        verticalSpacing="xs"
        horizontalSpacing="sm"
        highlightOnHover={linkOf !== undefined}
      >
        <Table.Caption className="hidden-caption">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, isHeaderHidden, isMinor, align, width }) => (
              <Table.Th key={header} ta={align} w={width} data-minor={isMinor}>
                <span className={isHeaderHidden ? 'visually-hidden' : undefined}>{header}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ header, cell, align, isHeaderHidden, isMinor }, i) => (
                <Table.Td
                  key={header}
                  ta={align}
                  data-label={isHeaderHidden || i === 0 ? undefined : header}
                  data-minor={isMinor}
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
    </div>
  );
}
