import { Button, Group, Stack, Text } from '@mantine/core';
import { Eye, EyeOff, RotateCw } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import { confirmAction } from '../../components/confirm-action';
import { Panel } from '../../components/panel';
import { Snippet } from '../../components/snippet';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import type { Webhook } from './webhook-events';

/** Loads the signing secret on demand and keeps it only while the page is open. */
export function SecretSection({ endpoint: { id, previousSecretUntil } }: { endpoint: Webhook }) {
  const path = { params: { path: { id } } };
  const reveal = useAction({ run: () => unwrap(api.GET('/api/webhooks/{id}/secret', path)) });
  const rotate = useAction({
    run: () => unwrap(api.POST('/api/webhooks/{id}/rotate-secret', path)),
    successMessage: t('webhooks.secret.rotated'),
    invalidates: [['webhook', id]],
    onSuccess: () => reveal.mutate(),
  });
  const confirmRotation = () =>
    confirmAction({
      title: t('webhooks.secret.rotate.title'),
      children: t('webhooks.secret.rotate.text'),
      confirm: t('webhooks.secret.rotate.confirm'),
      onConfirm: rotate.mutate,
    });
  const Icon = reveal.data ? EyeOff : Eye;
  return (
    <Panel title={t('webhooks.secret')} description={t('webhooks.secret.description')}>
      <Stack gap="sm">
        {reveal.data && <Snippet label={t('webhooks.secret.copy')} text={reveal.data.signingSecret} />}
        {previousSecretUntil !== null && (
          <Text size="sm" c="dimmed">
            <RichText id="webhooks.secret.previous" values={{ time: <Time value={previousSecretUntil} /> }} />
          </Text>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Icon size={16} />}
            loading={reveal.isPending}
            onClick={reveal.data ? reveal.reset : () => reveal.mutate()}
          >
            {t(reveal.data ? 'webhooks.secret.hide' : 'webhooks.secret.reveal')}
          </Button>
          <Button
            variant="default"
            leftSection={<RotateCw size={16} />}
            loading={rotate.isPending}
            onClick={confirmRotation}
          >
            {t('webhooks.secret.rotate')}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
