import { useCallback, useState } from 'react';

export interface Selection<T> {
  rows: readonly T[];
  has: (row: T) => boolean;
  /** Selects or deselects rows. Those beyond the maximum are ignored. The same function until the scope changes. */
  toggle: (rows: readonly T[], isSelected: boolean) => void;
  clear: () => void;
}

interface Options<T> {
  keyOf: (row: T) => string;
  /** The list and its filters: a change clears the selection, so that no selected row is out of reach. */
  scope: string;
  max: number;
}

/** Rows selected on one or more pages of a list, as they were when they were selected. */
export function useSelection<T>({ keyOf, scope, max }: Options<T>): Selection<T> {
  const [selected, setSelected] = useState({ scope, rows: new Map<string, T>() });
  const current = selected.scope === scope ? selected.rows : new Map<string, T>();
  const toggle = useCallback(
    (rows: readonly T[], isSelected: boolean) =>
      setSelected((before) => {
        const after = new Map(before.scope === scope ? before.rows : []);
        for (const row of rows) {
          if (!isSelected) after.delete(keyOf(row));
          else if (after.size < max) after.set(keyOf(row), row);
        }
        return { scope, rows: after };
      }),
    [scope, keyOf, max],
  );
  return {
    rows: [...current.values()],
    has: (row) => current.has(keyOf(row)),
    toggle,
    clear: () => setSelected({ scope, rows: new Map() }),
  };
}
