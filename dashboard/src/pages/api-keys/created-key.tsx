import { Button, Group, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { SecretPanel, Snippet } from '../../components/secret-panel';
import { SendExamples } from '../../components/send-examples';

interface Props {
  created: Schemas['CreatedApiKeyResponse'];
  onClose: () => void;
}

export const CreatedKey = ({ created: { secret, scopes, smtp }, onClose }: Props) => (
  <Stack>
    <SecretPanel name="API key" secret={secret} />
    {scopes.includes('send') && (
      <div>
        <Text size="sm" fw={500} mb={6}>
          Send your first email
        </Text>
        <SendExamples secret={secret} smtp={smtp ?? null} />
      </div>
    )}
    {smtp && <SmtpAccess smtp={smtp} />}
    <Group justify="flex-end">
      <Button onClick={onClose}>I have copied it</Button>
    </Group>
  </Stack>
);

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
