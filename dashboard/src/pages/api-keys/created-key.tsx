import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { answerOf, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { SERVICE } from '../../app/base';
import { SecretPanel, Snippet } from '../../components/secret-panel';

interface Props {
  created: Schemas['CreatedApiKeyResponse'];
  onClose: () => void;
}

export function CreatedKey({ created: { secret, scopes }, onClose }: Props) {
  const senders = useQuery({
    queryKey: ['senders', 'for-curl'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/senders', { params: { query: { limit: 100 } }, signal })),
  });
  const from = senders.data?.items.find(({ status }) => status === 'verified')?.email ?? 'you@your-domain.example';
  return (
    <Stack>
      <SecretPanel name="API key" secret={secret} />
      {scopes.includes('send') && (
        <div>
          <Text size="sm" fw={500} mb={6}>
            Send your first email
          </Text>
          <Snippet label="Copy the curl command" text={curlLine(secret, from)} />
        </div>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied it</Button>
      </Group>
    </Stack>
  );
}

const curlLine = (secret: string, from: string): string =>
  `curl ${SERVICE}/api/send/transactional -H 'X-API-Key: ${secret}' -H 'Content-Type: application/json' ` +
  `-d '${JSON.stringify({ to: 'you@example.org', fromEmail: from, subject: 'Hello', text: 'Sent with curl.' })}'`;
