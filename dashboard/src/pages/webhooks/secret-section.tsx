import { Button, Group, Stack, Text } from '@mantine/core';
import { Eye, EyeOff, RotateCw } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import { confirmAction } from '../../components/confirm-action';
import { Panel } from '../../components/panel';
import { Snippet } from '../../components/secret-panel';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import type { Webhook } from './webhook-events';

/** Loads the signing secret on demand and keeps it only while the page is open. */
export function SecretSection({ endpoint: { id, previousSecretUntil } }: { endpoint: Webhook }) {
  const path = { params: { path: { id } } };
  const reveal = useAction({ run: () => unwrap(api.GET('/api/webhooks/{id}/secret', path)) });
  const rotate = useAction({
    run: () => unwrap(api.POST('/api/webhooks/{id}/rotate-secret', path)),
    successMessage: 'A new signing secret has been created.',
    invalidates: [['webhook', id]],
    onSuccess: () => reveal.mutate(),
  });
  const confirmRotation = () =>
    confirmAction({
      title: 'Replace the signing secret?',
      children:
        'Requests are signed with a new secret immediately. For 24 hours a second header carries a signature made with ' +
        'the current secret; update your system within that time.',
      confirm: 'Rotate secret',
      onConfirm: rotate.mutate,
    });
  const Icon = reveal.data ? EyeOff : Eye;
  return (
    <Panel title="Signing secret" description="Use it to verify the signature of each request.">
      <Stack gap="sm">
        {reveal.data && <Snippet label="Copy the signing secret" text={reveal.data.signingSecret} />}
        {previousSecretUntil !== null && (
          <Text size="sm" c="dimmed">
            Requests are also signed with the previous secret until <Time value={previousSecretUntil} />.
          </Text>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Icon size={16} />}
            loading={reveal.isPending}
            onClick={reveal.data ? reveal.reset : () => reveal.mutate()}
          >
            {reveal.data ? 'Hide' : 'Reveal'}
          </Button>
          <Button
            variant="default"
            leftSection={<RotateCw size={16} />}
            loading={rotate.isPending}
            onClick={confirmRotation}
          >
            Rotate
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
