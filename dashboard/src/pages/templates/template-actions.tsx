import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SendHorizontal } from 'lucide-react';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import { UNGUARDED } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { SendTest } from './send-test';

interface Props {
  template: Schemas['TemplateResponse'];
  variables: Record<string, unknown>;
  isDirty: boolean;
}

export function TemplateActions({ template: { id, name }, variables, isDirty }: Props) {
  const navigate = useNavigate();
  const [isTesting, { open, close }] = useDisclosure();
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/templates/{id}', { params: { path: { id } } })),
    deletes: [['templates', id]],
    successMessage: t('common.deleted', { name }),
    invalidates: [
      ['templates', 'list'],
      ['templates', 'all'],
    ],
    onSuccess: () => void navigate('/templates', UNGUARDED),
  });
  return (
    <>
      <DangerButton
        label={t('common.action.delete')}
        title={t('common.delete.title', { name })}
        confirm={t('templates.delete.confirm')}
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        {t('templates.delete.text')}
      </DangerButton>
      <Button
        variant="default"
        leftSection={<SendHorizontal size={16} />}
        disabled={isDirty}
        title={isDirty ? t('templates.test.saveFirst') : undefined}
        onClick={open}
      >
        {t('common.sendTest')}
      </Button>
      {isTesting && <SendTest templateId={id} variables={variables} onClose={close} />}
    </>
  );
}
