import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { DangerButton } from '../../components/danger-button';
import { lazyDialog } from '../../components/lazy-dialog';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import type { Webhook } from './webhook-events';

const EditEndpoint = lazyDialog(() => import('./edit-endpoint'));

export function EndpointActions({ endpoint }: { endpoint: Webhook }) {
  const { id, enabled } = endpoint;
  const navigate = useNavigate();
  const [isChanging, { open, close }] = useDisclosure();
  const path = { params: { path: { id } } };
  const setEnabled = (enabled: boolean) => unwrap(api.PATCH('/api/webhooks/{id}', { ...path, body: { enabled } }));
  const shown = [['webhooks'], ['webhook', id], ['deliveries']];
  const enable = useAction({
    run: () => setEnabled(true),
    successMessage: t('webhooks.enabled'),
    invalidates: shown,
  });
  const disable = useAction({
    run: () => setEnabled(false),
    successMessage: t('webhooks.disabled'),
    invalidates: shown,
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/webhooks/{id}', path)),
    deletes: [
      ['webhook', id],
      ['deliveries', id],
    ],
    successMessage: t('webhooks.deleted'),
    invalidates: [['webhooks']],
    onSuccess: () => void navigate('/webhooks'),
  });
  return (
    <>
      <DangerButton
        label={t('common.action.delete')}
        title={t('webhooks.delete.title')}
        confirm={t('webhooks.delete.confirm')}
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        {t('webhooks.delete.text')}
      </DangerButton>
      <Button
        variant="default"
        onClick={() => (enabled ? disable : enable).mutate()}
        loading={enable.isPending || disable.isPending}
      >
        {t(enabled ? 'webhooks.disable' : 'webhooks.enable')}
      </Button>
      <Button variant="default" onClick={open}>
        {t('common.action.edit')}
      </Button>
      {isChanging && <EditEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
}
