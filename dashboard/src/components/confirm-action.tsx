import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

import { t } from '../texts/text';
import { openWhenReady } from './dialogs-ready';

export interface Confirmation {
  title: string;
  /** The effect of the action, and whether it can be undone. */
  children: ReactNode;
  confirm: string;
  /** The button that leaves everything as it is. Set it where `Cancel` could be read as the action. */
  dismiss?: string;
  onConfirm: () => void;
}

interface Options extends Confirmation {
  isDangerous?: boolean;
  /** Called, too, when the dialog is closed by Escape or because the page is left. */
  onCancel?: () => void;
}

/** Asks for confirmation. Escape and the initially focused button cancel. */
export function confirmAction({
  title,
  children,
  confirm,
  dismiss = t('common.action.cancel'),
  isDangerous = true,
  onConfirm,
  onCancel,
}: Options): void {
  let isConfirmed = false;
  openWhenReady(() =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{children}</Text>,
      labels: { confirm, cancel: dismiss },
      confirmProps: { color: isDangerous ? 'red.8' : undefined },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => {
        isConfirmed = true;
        onConfirm();
      },
      onClose: () => {
        if (!isConfirmed) onCancel?.();
      },
    }),
  );
}
