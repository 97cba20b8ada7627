import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';

import { CopyButton } from './copy-button';

interface Props {
  /** What the secret is, as `The key`. */
  name: string;
  secret: string;
  children?: ReactNode;
}

/** A secret at the one time that it is shown. */
export function SecretPanel({ name, secret, children }: Props) {
  return (
    <Alert variant="outline" color="teal" icon={<KeyRound size={18} />} title={`${name} is shown only now`}>
      <Stack gap="sm">
        <Text size="sm">Copy it and keep it safe: it is stored as a hash and cannot be shown again.</Text>
        <Snippet label={`Copy ${name.toLowerCase()}`} text={secret} />
        {children}
      </Stack>
    </Alert>
  );
}

/** Text to be copied. */
export const Snippet = ({ label, text }: { label: string; text: string }) => (
  <Group className="snippet" wrap="nowrap" gap="xs" align="flex-start">
    <Box component="code" className="mono" flex={1}>
      {text}
    </Box>
    <CopyButton value={text} label={label} />
  </Group>
);
