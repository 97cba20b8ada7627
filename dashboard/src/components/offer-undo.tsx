import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

import { t } from '../texts/text';

/** Long enough to read the notification and to reach its button with the keyboard. */
const SHOWN_MS = 20_000;

/** What can be undone at present, by the id of its notification. */
const offers = new Map<string, () => void>();
let count = 0;

/**
 * Reports a success with a button that reverses it, once. The notification stays if the button gets the focus, until it
 * is dismissed.
 */
export function offerUndo(message: string, undo: () => void): void {
  const id = `undo-${++count}`;
  const onUndo = () => {
    notifications.hide(id);
    undo();
  };
  const notification = {
    id,
    color: 'teal',
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        {message}
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          aria-keyshortcuts="Z"
          onClick={onUndo}
          onFocus={() => notifications.update({ ...notification, autoClose: false })}
        >
          {t('common.action.undo')}
        </Button>
      </Group>
    ),
    onClose: () => {
      offers.delete(id);
      // A focus within it would be lost.
      if (document.getElementById(id)?.contains(document.activeElement))
        document.getElementById('content')?.focus({ preventScroll: true });
    },
  };
  offers.set(id, onUndo);
  notifications.show({ ...notification, autoClose: SHOWN_MS });
}

/** Undoes the last action that can be undone, if there is one. */
export const undoLast = (): void => [...offers.values()].at(-1)?.();
