import { ActionIcon, Checkbox, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Column } from './data-table';

const LABEL = 'Choose columns';

/** Whether a column is shown, by its header, where it differs from the default. */
type Choice = Readonly<Record<string, boolean>>;

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
  const isShown = ({ header, isExtra = false }: Column<T>) => choice[header] ?? !isExtra;
  const optional = columns.filter(({ isHeaderHidden }, i) => i > 0 && !isHeaderHidden);
  return {
    columns: columns.filter((column) => !optional.includes(column) || isShown(column)),
    button: (
      <Popover position="bottom-end" shadow="md" withinPortal trapFocus>
        <Popover.Target>
          <Tooltip label={LABEL}>
            <ActionIcon variant="default" size="input-sm" aria-label={LABEL}>
              <Columns3 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="xs" role="group" aria-label="Columns">
            <Text size="sm" fw={500}>
              Columns
            </Text>
            {optional.map((column) => (
              <Checkbox
                key={column.header}
                size="xs"
                label={column.header}
                checked={isShown(column)}
                onChange={({ currentTarget: { checked } }) => setChoice({ ...choice, [column.header]: checked })}
              />
            ))}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    ),
  };
}
