import { Button } from '@mantine/core';
import { RotateCcw } from 'lucide-react';

import { confirmAction } from '../../components/confirm-action';
import { t } from '../../texts/text';

interface Props {
  version: number;
  isCurrent: boolean;
  isDirty: boolean;
  isBusy: boolean;
  onRestore: () => void;
}

/** Asks first if there are unsaved changes, which a restore discards. */
export function RestoreButton({ version, isCurrent, isDirty, isBusy, onRestore }: Props) {
  const confirm = () =>
    confirmAction({
      title: t('templates.discard.title'),
      children: t('templates.restore.discard.text', { version }),
      confirm: t('templates.restore.discard.confirm'),
      onConfirm: onRestore,
    });
  return (
    <Button
      size="xs"
      leftSection={<RotateCcw size={14} />}
      loading={isBusy}
      disabled={isCurrent}
      onClick={isDirty ? confirm : onRestore}
    >
      {t('templates.restore')}
    </Button>
  );
}
