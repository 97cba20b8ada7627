import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';

import type { Schemas } from '../../api/types';
import { SendExamples } from '../../components/send-examples';
import { Snippet } from '../../components/snippet';
import { locale } from '../../texts/language';
import { t } from '../../texts/text';

interface Props {
  created: Schemas['CreatedApiKeyResponse'];
  onClose: () => void;
}

export const CreatedKey = ({ created: { secret, scopes, smtp }, onClose }: Props) => (
  <Stack>
    <Alert variant="outline" color="teal" icon={<KeyRound size={18} />} title={t('api-keys.created.once')}>
      <Stack gap="sm">
        <Text size="sm">{t('api-keys.created.once.text')}</Text>
        <Snippet label={t('api-keys.created.copy')} text={secret} />
      </Stack>
    </Alert>
    {scopes.includes('send') && (
      <div>
        <Text size="sm" fw={500} mb={6}>
          {t('api-keys.created.firstEmail')}
        </Text>
        <SendExamples secret={secret} smtp={smtp ?? null} />
      </div>
    )}
    {smtp && <SmtpAccess smtp={smtp} />}
    <Group justify="flex-end">
      <Button onClick={onClose}>{t('api-keys.created.copied')}</Button>
    </Group>
  </Stack>
);

/** The SMTP settings, for programs that have fields for them. */
function SmtpAccess({ smtp }: { smtp: NonNullable<Schemas['CreatedApiKeyResponse']['smtp']> }) {
  const { port, tlsPort, startTls } = smtp;
  const ports = [
    ...(port === null ? [] : [startTls ? `${port} (STARTTLS)` : t('api-keys.smtp.withoutTls', { port: String(port) })]),
    ...(tlsPort === null ? [] : [`${tlsPort} (TLS)`]),
  ];
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {t('api-keys.smtp')}
      </Text>
      <Text size="sm" c="dimmed" mb={6}>
        {t('api-keys.smtp.text', { ports: OR.format(ports), username: smtp.username })}
      </Text>
      <Snippet label={t('api-keys.smtp.copyHost')} text={smtp.host} />
    </div>
  );
}

const OR = new Intl.ListFormat(locale, { type: 'disjunction' });
