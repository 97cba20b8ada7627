import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

export interface Question {
  title: string;
  /** What will be different, and whether it can be undone. */
  children: ReactNode;
  confirm: string;
  onConfirm: () => void;
}

interface Options extends Question {
  isDangerous?: boolean;
  onCancel?: () => void;
}

/** Asks before something that is not easily undone. Escape and the first button leave everything as it is. */
export function askFirst({ title, children, confirm, isDangerous = true, onConfirm, onCancel }: Options): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{children}</Text>,
    labels: { confirm, cancel: 'Cancel' },
    confirmProps: { color: isDangerous ? 'red.8' : undefined },
    cancelProps: { 'data-autofocus': true },
    onConfirm: () => onConfirm(),
    onCancel,
  });
}
