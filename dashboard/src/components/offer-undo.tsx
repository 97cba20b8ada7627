import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';

import { getActor } from '../app/session';
import { t } from '../texts/text';

/** Long enough to read the notification and to reach its button with the keyboard. */
const SHOWN_MS = 20_000;

/** The undo that is offered at present. */
let offer: { id: string; accept: () => Promise<void> } | null = null;
/** Repeats the offer of an undo that failed because the session had expired. */
let renew: (() => void) | null = null;
/** The number of the last offer. An offer with another number has been replaced or withdrawn. */
let count = 0;

/**
 * Reports a success with a button that reverses it for whoever is signed in now. The next offer replaces it. It does
 * not time out while it has the focus or is under the pointer. `undo` resolves to whether it may be repeated: then it
 * is offered to the same user again.
 */
export function offerUndo(message: string, undo: () => Promise<boolean>): void {
  withdrawUndo();
  const number = count;
  const id = `undo-${number}`;
  const actor = getActor();
  const offerAgain = () => {
    if (count === number && getActor() === actor) offerUndo(message, undo);
  };
  const accept = async () => {
    // Its button can still be clicked while the notification fades out.
    if (offer?.id !== id) return;
    notifications.hide(id);
    if (getActor() !== actor || !(await undo())) return;
    if (getActor() === null) renew = offerAgain;
    else offerAgain();
  };
  const closeAfter = (autoClose: number | false) => notifications.update({ ...notification, autoClose });
  const notification: NotificationData = {
    id,
    color: 'teal',
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        {message}
        <Button variant="default" size="compact-sm" flex="none" aria-keyshortcuts="Z" onClick={() => void accept()}>
          {t('common.action.undo')}
        </Button>
      </Group>
    ),
    autoClose: SHOWN_MS,
    onFocus: () => closeAfter(false),
    onBlur: () => closeAfter(SHOWN_MS),
    onClose: () => {
      if (offer?.id === id) offer = null;
    },
  };
  offer = { id, accept };
  notifications.show(notification);
}

/** Undoes the last action if that is offered on the screen: a notification may still wait for room. */
export function acceptUndo(): void {
  if (offer && document.getElementById(offer.id)) void offer.accept();
}

/** Withdraws the offer, also of an undo that is running: what it would restore no longer exists. */
export function withdrawUndo(): void {
  count++;
  if (offer) notifications.hide(offer.id);
}

/** Call it when somebody has signed in. */
export function renewOffer(): void {
  if (getActor() === null) return;
  renew?.();
  renew = null;
}

export function clearNotifications(): void {
  offer = null;
  notifications.clean();
}
