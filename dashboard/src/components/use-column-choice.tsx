import { ActionIcon, Checkbox, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Columns3 } from 'lucide-react';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';

import { t } from '../texts/text';
import type { Column } from './data-table';

/** Whether a column is shown, by header, where the user's choice differs from the default. */
type Choice = Readonly<Record<string, boolean>>;

const isOptional = <T,>({ isHeaderHidden }: Column<T>, i: number): boolean => i > 0 && !isHeaderHidden;

const isShown = <T,>({ header, isExtra = false }: Column<T>, choice: Choice): boolean => choice[header] ?? !isExtra;

/**
 * Lets the user choose the columns of a list, except for the first one and those without a header. The choice is kept
 * in the browser. Returns the columns to show and the button for the choice.
 */
export function useColumnChoice<T>(
  list: string,
  columns: readonly Column<T>[],
): { columns: readonly Column<T>[]; button: ReactNode } {
  const [choice, setChoice] = useLocalStorage<Choice>({
    key: `columns:${list}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const optional = columns.filter(isOptional);
  // The same array as long as nothing changes, so that rows are not rendered again.
  const shown = useMemo(
    () => columns.filter((column, i) => !isOptional(column, i) || isShown(column, choice)),
    [columns, choice],
  );
  return {
    columns: shown,
    button: (
      <Popover position="bottom-end" shadow="md" withinPortal trapFocus>
        <Popover.Target>
          <Tooltip label={t('common.column.choose')}>
            <ActionIcon variant="default" size="input-sm" aria-label={t('common.column.choose')}>
              <Columns3 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('common.column.choose')}>
          <Stack gap="xs" role="group" aria-label={t('common.columns')}>
            <Text size="sm" fw={500}>
              {t('common.columns')}
            </Text>
            {optional.map((column) => (
              <Checkbox
                key={column.header}
                size="xs"
                label={t(column.header)}
                checked={isShown(column, choice)}
                onChange={({ currentTarget: { checked } }) => setChoice({ ...choice, [column.header]: checked })}
              />
            ))}
            <NarrowNote />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    ),
  };
}

/** Says that columns of the list do not fit. */
function NarrowNote() {
  const isNarrow = useSyncExternalStore(onLayout, hidesColumns);
  return (
    isNarrow && (
      <Text size="xs" c="dimmed">
        {t('common.column.narrow')}
      </Text>
    )
  );
}

/** Calls the listener whenever the columns, or the room for them, may have changed. */
function onLayout(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('resize', listener);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', listener);
  };
}

function hidesColumns(): boolean {
  const cells = document.querySelectorAll('.data-table[data-one-line] tr:first-child td:not(:empty)');
  return [...cells].some((cell) => !cell.checkVisibility());
}
