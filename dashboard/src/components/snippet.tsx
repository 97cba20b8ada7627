import { Box, Group } from '@mantine/core';

import { CopyButton } from './copy-button';

/** Text with a copy button. */
export const Snippet = ({ label, text }: { label: string; text: string }) => (
  <Group className="snippet" wrap="nowrap" gap="xs" align="flex-start">
    <Box component="code" className="mono" flex={1}>
      {text}
    </Box>
    <CopyButton value={text} label={label} />
  </Group>
);
