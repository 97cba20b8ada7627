import { Checkbox, Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';

import type { Selection } from './use-selection';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** For screen readers only, as for a column of buttons. */
  isHeaderHidden?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Hidden until the user chooses it. See `useColumnChoice`. */
  isExtra?: boolean;
  align?: 'right';
  /** Columns without a width share the remaining space. */
  width?: string;
}

interface Props<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** The detail page of a row. The first cell holds the link; a click anywhere in the row follows it. */
  linkOf?: (row: T) => string;
  /** Whether `rows` are from the previous query because the current one is loading. */
  isStale?: boolean;
  /** Whether long text is cut off instead of wrapped. */
  isOneLine?: boolean;
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

/** Shows the whole text of a cell that is cut off while the mouse is over it. */
function revealText({ target }: MouseEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : '';
}

/** A row opens its page wherever it is clicked, as its link does. Text can still be selected, and has its tooltips. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest('a, button, input, label, .select-cell') || window.getSelection()?.isCollapsed === false) return;
  const click = new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey });
  target.closest('tr')?.querySelector('.row-link')?.dispatchEvent(click);
}

/**
 * A table that is never wider than its container: long text wraps, or is cut off in lists of one line per row. In a
 * narrow container each row becomes a block whose cells are labelled with their column, and long text wraps.
 */
export function DataTable<T>({ caption, columns, rows, keyOf, linkOf, selection, ...state }: Props<T>) {
  const { isStale = false, isOneLine = false } = state;
  const isMany = columns.filter(({ isMinor }) => !isMinor).length >= MANY_COLUMNS;
  return (
    <div className="data-table-container" data-many={isMany || undefined}>
      <Table
        className="data-table"
        aria-busy={isStale}
        layout="fixed"
        verticalSpacing={6}
        horizontalSpacing="sm"
        data-one-line={isOneLine || undefined}
        data-linked={linkOf && true}
        onClick={linkOf && openRow}
        onMouseOver={isOneLine ? revealText : undefined}
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
