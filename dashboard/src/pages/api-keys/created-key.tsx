import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { SERVICE_URL } from '../../app/service-url';
import { SecretPanel, Snippet } from '../../components/secret-panel';

interface Props {
  created: Schemas['CreatedApiKeyResponse'];
  onClose: () => void;
}

export function CreatedKey({ created: { secret, scopes, smtp }, onClose }: Props) {
  const senders = useQuery({
    queryKey: ['senders', 'for-curl'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/senders', { params: { query: { limit: 100 } }, signal })),
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
      {smtp && <SmtpAccess smtp={smtp} />}
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied it</Button>
      </Group>
    </Stack>
  );
}

/** For programs that have fields for these. */
function SmtpAccess({ smtp }: { smtp: NonNullable<Schemas['CreatedApiKeyResponse']['smtp']> }) {
  const ports = [
    ...(smtp.port === null ? [] : [`${smtp.port} (STARTTLS)`]),
    ...(smtp.tlsPort === null ? [] : [`${smtp.tlsPort} (TLS)`]),
  ];
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        Or send by SMTP
      </Text>
      <Text size="sm" c="dimmed" mb={6}>
        Port {ports.join(' or ')}, user {smtp.username}, and the API key as password.
      </Text>
      <Snippet label="Copy the SMTP host" text={smtp.host} />
    </div>
  );
}

const curlLine = (secret: string, from: string): string =>
  `curl ${SERVICE_URL}/api/send/transactional -H 'X-API-Key: ${secret}' -H 'Content-Type: application/json' ` +
  `-d '${JSON.stringify({ to: 'you@example.org', fromEmail: from, subject: 'Hello', text: 'Sent with curl.' })}'`;
