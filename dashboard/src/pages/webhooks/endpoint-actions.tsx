import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { confirmAction } from '../../components/confirm-action';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import { EditEndpoint } from './edit-endpoint';
import type { Webhook } from './webhook-events';

export function EndpointActions({ endpoint }: { endpoint: Webhook }) {
  const { id, enabled } = endpoint;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isChanging, { open, close }] = useDisclosure();
  const path = { params: { path: { id } } };
  const enable = useAction({
    run: (enable: boolean) => unwrap(api.PATCH('/api/webhooks/{id}', { ...path, body: { enabled: enable } })),
    successMessage: (changed) =>
      changed.enabled ? 'The endpoint has been enabled.' : 'The endpoint has been disabled.',
    invalidates: [['webhooks'], ['webhook', id], ['deliveries']],
  });
  const remove = useAction({
    run: async () => {
      // A refresh of this page that is in flight would not find the endpoint any more.
      for (const queryKey of [
        ['webhook', id],
        ['deliveries', id],
      ])
        await queryClient.cancelQueries({ queryKey });
      return unwrap(api.DELETE('/api/webhooks/{id}', path));
    },
    successMessage: 'The endpoint has been deleted.',
    invalidates: [['webhooks']],
    onSuccess: () => void navigate('/webhooks'),
  });
  const confirmDisable = () =>
    confirmAction({
      title: 'Disable this endpoint?',
      children:
        'It receives no new events. Pending deliveries are kept for 14 days and sent once the endpoint is enabled again.',
      confirm: 'Disable endpoint',
      onConfirm: () => enable.mutate(false),
    });
  return (
    <>
      <DangerButton
        label="Delete"
        title="Delete this endpoint?"
        confirm="Delete endpoint"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Its deliveries are deleted as well, and pending ones are never sent. This cannot be undone.
      </DangerButton>
      <Button
        variant="default"
        onClick={enabled ? confirmDisable : () => enable.mutate(true)}
        loading={enable.isPending}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" onClick={open}>
        Edit
      </Button>
      {isChanging && <EditEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
}
