import { memo, type MouseEvent, type ReactNode, useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';

import { styleNonce } from '../app/style-nonce';
import { t, type TextId } from '../texts/text';
import type { Selection } from './use-selection';

export interface Column<T> {
  header: TextId;
  cell: (row: T) => ReactNode;
  /** Shows the header to screen readers only, as for a column of buttons. */
  isHeaderHidden?: boolean;
  /** Hidden after all other columns but the first one and the actions, where not all columns fit. */
  isMajor?: boolean;
  /** Hidden first where not all columns fit. */
  isMinor?: boolean;
  /** Hidden until the user chooses it. See `useColumnChoice`. */
  isExtra?: boolean;
  align?: 'right';
  /** The width in rem, or as a share of the table in cqi. Columns without a width share the remaining space. */
  width?: string;
  /** The least width in rem, if it is not `width`. A column that would be narrower is hidden. */
  minWidth?: number;
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
  /** Whether long text is cut off instead of wrapped, and columns that do not fit are hidden. */
  isOneLine?: boolean;
  /** Adds a checkbox to each row. */
  selection?: RowSelection<T>;
}

export interface RowSelection<T> extends Pick<Selection<T>, 'has' | 'toggle'> {
  /** The checkboxes of other rows are disabled. */
  isSelectable: (row: T) => boolean;
  /** The name of the row in the label of its checkbox, for screen readers. */
  nameOf: (row: T) => string;
}

/** The width of the container, in rem, up to which a row is a block that shows every column but the minor ones. */
const BLOCK_WIDTH = 30;
/** The least width, in rem, of a column without a width in rem and without `minWidth`. */
const MIN_WIDTH = 8;
/** The least width of the first column, which has the addresses and names, with the checkbox of its row. */
const MIN_FIRST_WIDTH = 16;
const SELECT_WIDTH = 2.5;

/** A column, and the least width of the container, in rem, at which it is shown if it is not always. */
type Placed<T> = Column<T> & { from?: number };

/** The first column and the actions are shown first, then the major ones, the others in their order, the minor ones. */
function place<T>(columns: readonly Column<T>[], hasSelection: boolean): Placed<T>[] {
  const [first] = columns;
  const rankOf = (column: Column<T>) => {
    if (column === first) return 0;
    if (column.isMinor) return 4;
    return column.isHeaderHidden ? 1 : column.isMajor ? 2 : 3;
  };
  const minOf = ({ minWidth, width }: Column<T>, otherwise: number) =>
    minWidth ?? (width?.endsWith('rem') ? Number.parseFloat(width) : otherwise);
  let needed = 0;
  const from = new Map<Column<T>, number>();
  for (const column of columns.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    needed += minOf(column, column === first ? MIN_FIRST_WIDTH : MIN_WIDTH);
    if (needed > BLOCK_WIDTH) from.set(column, needed);
  }
  return columns.map((column) => {
    const min = minOf(column, MIN_FIRST_WIDTH) - (hasSelection ? SELECT_WIDTH : 0);
    const width = column === first && column.width ? `max(${min}rem, ${column.width})` : column.width;
    return { ...column, from: from.get(column), width };
  });
}

/** Hides the columns for which the container is too narrow. */
const FittingColumns = <T,>({ columns }: { columns: readonly Placed<T>[] }) => (
  <style nonce={styleNonce}>
    {columns
      .flatMap(({ from }) => from ?? [])
      .map((from) => `@container (${BLOCK_WIDTH}rem < width < ${from}rem) { [data-from='${from}'] { display: none; } }`)
      .join('\n')}
  </style>
);

/** Shows the whole text of a cell that is cut off while the mouse is over it. */
function revealText({ target }: MouseEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell) cell.title = isCutOff(cell) ? cell.innerText : '';
}

/** Shows or hides the whole text of the cell that is pressed, for touch screens. */
function expandText({ target }: MouseEvent): void {
  const cell = target instanceof Element && !target.closest('a, button, input') ? target.closest('td') : null;
  if (!cell || window.getSelection()?.isCollapsed === false) return;
  if (cell.dataset.whole !== undefined || isCutOff(cell)) cell.toggleAttribute('data-whole');
}

/** Measures where the content would end: Firefox leaves clipped content out of `scrollWidth`. */
function isCutOff(cell: Element): boolean {
  const content = document.createRange();
  content.selectNodeContents(cell);
  const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
  return cell.scrollWidth > cell.clientWidth || content.getBoundingClientRect().right > end + 1;
}

/** A row opens its page wherever it is clicked, as its link does. Text can still be selected, and has its tooltips. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest('a, button, input, label, .select-cell') || window.getSelection()?.isCollapsed === false) return;
  const click = new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey });
  target.closest('tr')?.querySelector('.row-link')?.dispatchEvent(click);
}

/**
 * A table that is never wider than its container: long text wraps; in lists of one line per row it is cut off, and
 * columns that do not fit are hidden. In a container as narrow as a phone each row becomes a block whose cells are
 * labelled with their column, and long text wraps.
 *
 * Rows and cells are plain elements, rows are only rendered again when they change, and new rows are rendered in the
 * background: with components of Mantine in each cell, a page of 50 messages blocked the browser for 100 ms.
 */
export function DataTable<T>({ caption, columns, rows: latest, keyOf, linkOf, selection, ...state }: Props<T>) {
  const { isStale = false, isOneLine = false } = state;
  const rows = useDeferredValue(latest);
  const hasSelection = selection !== undefined;
  const placed = useMemo<readonly Placed<T>[]>(
    () => (isOneLine ? place(columns, hasSelection) : columns),
    [columns, hasSelection, isOneLine],
  );
  return (
    <div className="data-table-container" data-one-line={isOneLine || undefined}>
      {isOneLine && <FittingColumns columns={placed} />}
      <table
        className="data-table"
        aria-busy={isStale || rows !== latest}
        data-one-line={isOneLine || undefined}
        data-linked={linkOf && true}
        onClick={linkOf ? openRow : expandText}
        onMouseOver={isOneLine ? revealText : undefined}
        data-selectable={selection && true}
      >
        <caption className="hidden-caption">{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll rows={rows} selection={selection} />}
            {placed.map((column) => (
              <th
                key={column.header}
                style={{ width: column.width }}
                data-align={column.align}
                data-minor={column.isMinor}
                data-from={column.from}
              >
                <span className={column.isHeaderHidden ? 'visually-hidden' : undefined}>{t(column.header)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={keyOf(row)}
              row={row}
              columns={placed}
              linkOf={linkOf}
              isSelected={selection?.has(row)}
              isSelectable={selection?.isSelectable(row)}
              selectName={selection?.nameOf(row)}
              onSelect={selection?.toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Placed<T>[];
  linkOf: ((row: T) => string) | undefined;
  isSelected: boolean | undefined;
  isSelectable: boolean | undefined;
  selectName: string | undefined;
  onSelect: RowSelection<T>['toggle'] | undefined;
}

function PlainRow<T>({ row, columns, linkOf, onSelect, ...selection }: RowProps<T>) {
  const { isSelected = false, isSelectable, selectName } = selection;
  return (
    <tr data-selected={isSelected || undefined}>
      {onSelect && (
        <td className="select-cell">
          <input
            type="checkbox"
            className="checkbox"
            aria-label={t('common.select.row', { name: selectName ?? '' })}
            checked={isSelected}
            disabled={!isSelectable}
            onChange={({ currentTarget: { checked } }) => onSelect([row], checked)}
          />
        </td>
      )}
      {columns.map((column, i) => (
        <td
          key={column.header}
          data-align={column.align}
          data-label={column.isHeaderHidden || i === 0 ? undefined : t(column.header)}
          data-minor={column.isMinor}
          data-from={column.from}
        >
          {i === 0 && linkOf ? (
            <Link to={linkOf(row)} className="row-link">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

const Row = memo(PlainRow) as typeof PlainRow;

function SelectAll<T>({ rows, selection }: { rows: readonly T[]; selection: RowSelection<T> }) {
  const selectable = rows.filter(selection.isSelectable);
  const selected = selectable.filter(selection.has).length;
  const isAll = selected > 0 && selected === selectable.length;
  return (
    <th className="select-cell" style={{ width: `${SELECT_WIDTH}rem` }}>
      <label>
        <input
          type="checkbox"
          className="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && !isAll;
          }}
          checked={isAll}
          disabled={selectable.length === 0}
          onChange={() => selection.toggle(selectable, !isAll)}
        />
        <span>{t('common.select.all')}</span>
      </label>
    </th>
  );
}
