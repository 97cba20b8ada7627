import { Button, Group, Stack, Text } from '@mantine/core';

import { confirmAction } from '../../components/confirm-action';
import { Warning } from '../../components/warning';
import { t } from '../../texts/text';

interface Props {
  /** The version that the form was filled from. */
  base: number;
  newest: number;
  isDirty: boolean;
  /** Whether to offer a button that submits the form. */
  canSave: boolean;
  isSaving: boolean;
  onLoad: () => void;
}

/** Says that somebody else has saved a newer version than the one being edited. */
export function NewerVersion({ base, newest, isDirty, canSave, isSaving, onLoad }: Props) {
  const confirm = () =>
    confirmAction({
      title: t('templates.discard.title'),
      children: t('templates.newer.discard.text', { version: newest }),
      confirm: t('templates.newer.discard.confirm'),
      onConfirm: onLoad,
    });
  return (
    <Warning title={t('templates.newer.title', { version: newest })} mb="md" role="alert">
      <Stack gap="sm">
        <Text size="sm">{t('templates.newer.text', { base })}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={isDirty ? confirm : onLoad}>
            {t('templates.newer.load', { version: newest })}
          </Button>
          {canSave && (
            <Button size="xs" type="submit" loading={isSaving}>
              {t('templates.newer.save')}
            </Button>
          )}
        </Group>
      </Stack>
    </Warning>
  );
}
