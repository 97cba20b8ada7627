import { Checkbox, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import type { Selection } from './use-selection';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** For screen readers only, as for a column of buttons. */
  isHeaderHidden?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  align?: 'right';
  /** Columns without a width share the remaining space. */
  width?: string;
}

interface Props<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** The detail page of a row. The first cell holds the link, which covers the whole row. */
  linkOf?: (row: T) => string;
  /** Whether `rows` are from the previous query because the current one is loading. */
  isStale?: boolean;
  /** Adds a checkbox to each row. */
  selection?: RowSelection<T>;
}

export interface RowSelection<T> extends Pick<Selection<T>, 'has' | 'toggle'> {
  /** The checkboxes of other rows are disabled. */
  isSelectable: (row: T) => boolean;
  /** For screen readers: what is selected. */
  nameOf: (row: T) => string;
}

/** From this number of columns on, the table switches to blocks at a greater width. */
const MANY_COLUMNS = 6;

/**
 * A table that is never wider than its container: long text wraps. In a narrow container each row becomes a block whose
 * cells are labelled with their column.
 */
export function DataTable<T>({ caption, columns, rows, keyOf, linkOf, isStale = false, selection }: Props<T>) {
  const isMany = columns.filter(({ isMinor }) => !isMinor).length >= MANY_COLUMNS;
  return (
    <div className="data-table-container" data-many={isMany || undefined}>
      <Table
        className="data-table"
        aria-busy={isStale}
        layout="fixed"
        verticalSpacing="xs"
        horizontalSpacing="sm"
        highlightOnHover={linkOf !== undefined}
        data-selectable={selection && true}
      >
        <Table.Caption className="hidden-caption">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAll rows={rows} selection={selection} />}
            {columns.map(({ header, isHeaderHidden, isMinor, align, width }) => (
              <Table.Th key={header} ta={align} w={width} data-minor={isMinor}>
                <span className={isHeaderHidden ? 'visually-hidden' : undefined}>{header}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} data-selected={selection?.has(row) || undefined}>
              {selection && <SelectRow row={row} selection={selection} />}
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

const SELECT_WIDTH = '2.5rem';

function SelectAll<T>({ rows, selection }: { rows: readonly T[]; selection: RowSelection<T> }) {
  const selectable = rows.filter(selection.isSelectable);
  const selected = selectable.filter(selection.has).length;
  const isAll = selected > 0 && selected === selectable.length;
  return (
    <Table.Th className="select-cell" w={SELECT_WIDTH}>
      <Checkbox
        size="xs"
        label="Select all"
        checked={isAll}
        indeterminate={selected > 0 && !isAll}
        disabled={selectable.length === 0}
        onChange={() => selection.toggle(selectable, !isAll)}
      />
    </Table.Th>
  );
}

function SelectRow<T>({ row, selection }: { row: T; selection: RowSelection<T> }) {
  return (
    <Table.Td className="select-cell">
      <Checkbox
        size="xs"
        aria-label={`Select ${selection.nameOf(row)}`}
        checked={selection.has(row)}
        disabled={!selection.isSelectable(row)}
        onChange={({ currentTarget: { checked } }) => selection.toggle([row], checked)}
      />
    </Table.Td>
  );
}
