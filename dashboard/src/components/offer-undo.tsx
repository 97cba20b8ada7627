import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';

import { getActor } from '../app/session';
import { t } from '../texts/text';

/** Long enough to read the notification and to reach its button with the keyboard. */
const SHOWN_MS = 20_000;

/** What can be undone at present. */
let offer: { id: string; accept: () => void } | null = null;
let count = 0;

/**
 * Reports a success with a button that reverses it, once, for whoever is signed in now. The next offer replaces it. It
 * does not time out while it has the focus or is under the pointer.
 */
export function offerUndo(message: string, undo: () => void): void {
  if (offer) notifications.hide(offer.id);
  const id = `undo-${++count}`;
  const actor = getActor();
  const accept = () => {
    // Its button can still be clicked while the notification fades out.
    if (offer?.id !== id) return;
    notifications.hide(id);
    if (getActor() === actor) undo();
  };
  const closeAfter = (autoClose: number | false) => notifications.update({ ...notification, autoClose });
  const notification: NotificationData = {
    id,
    color: 'teal',
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        {message}
        <Button variant="default" size="compact-sm" flex="none" aria-keyshortcuts="Z" onClick={accept}>
          {t('common.action.undo')}
        </Button>
      </Group>
    ),
    autoClose: SHOWN_MS,
    onFocus: () => closeAfter(false),
    onBlur: () => closeAfter(SHOWN_MS),
    onClose: () => {
      if (offer?.id === id) offer = null;
      // A focus within it would be lost.
      if (document.getElementById(id)?.contains(document.activeElement))
        document.getElementById('content')?.focus({ preventScroll: true });
    },
  };
  offer = { id, accept };
  notifications.show(notification);
}

/** Undoes the last action if that is offered on the screen: a notification may still wait for room. */
export function acceptUndo(): void {
  if (offer && document.getElementById(offer.id)) offer.accept();
}

export function clearNotifications(): void {
  offer = null;
  notifications.clean();
}
