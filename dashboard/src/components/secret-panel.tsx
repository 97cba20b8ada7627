import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';

import { CopyButton } from './copy-button';

interface Props {
  /** For example `API key`. */
  name: string;
  secret: string;
  children?: ReactNode;
}

/** Shows a secret directly after its creation. */
export function SecretPanel({ name, secret, children }: Props) {
  return (
    <Alert variant="outline" color="teal" icon={<KeyRound size={18} />} title={`The ${name} is shown only once`}>
      <Stack gap="sm">
        <Text size="sm">Copy it now and keep it safe. Only a hash of it is stored, so it cannot be shown again.</Text>
        <Snippet label={`Copy ${name}`} text={secret} />
        {children}
      </Stack>
    </Alert>
  );
}

/** Text with a copy button. */
export const Snippet = ({ label, text }: { label: string; text: string }) => (
  <Group className="snippet" wrap="nowrap" gap="xs" align="flex-start">
    <Box component="code" className="mono" flex={1}>
      {text}
    </Box>
    <CopyButton value={text} label={label} />
  </Group>
);
