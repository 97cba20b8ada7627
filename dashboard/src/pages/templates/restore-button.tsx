import { Button } from '@mantine/core';
import { RotateCcw } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { confirmAction } from '../../components/confirm-action';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

interface Props {
  templateId: string;
  version: number;
  newest: number;
  isDirty: boolean;
  onRestored: (version: Schemas['TemplateVersionDetailResponse']) => void;
}

/** Saves the content of a version as the newest one. Asks first if that discards unsaved changes. */
export function RestoreButton({ templateId, version, newest, isDirty, onRestored }: Props) {
  const restore = useAction({
    run: () =>
      unwrap(
        api.POST('/api/templates/{id}/versions/{version}/restore', {
          params: { path: { id: templateId, version: String(version) } },
        }),
      ),
    successMessage: (restored) =>
      restored.version > newest
        ? t('templates.restored', { version, restored: restored.version })
        : t('templates.restored.same', { version }),
    invalidates: [['templates']],
    onSuccess: onRestored,
  });
  const confirm = () =>
    confirmAction({
      title: t('templates.restore.discard.title'),
      children: t('templates.restore.discard.text', { version }),
      confirm: t('templates.restore.discard.confirm'),
      onConfirm: () => restore.mutate(),
    });
  return (
    <Button
      size="xs"
      leftSection={<RotateCcw size={14} />}
      loading={restore.isPending}
      disabled={version === newest}
      onClick={() => (isDirty ? confirm() : restore.mutate())}
    >
      {t('templates.restore')}
    </Button>
  );
}
