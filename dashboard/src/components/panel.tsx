import { Box, Group, Paper, type PaperProps, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends PaperProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Removes the padding, for tables. */
  isFlush?: boolean;
}

/** A section of a page with a border and an optional heading. */
export function Panel({ title, description, actions, children, isFlush = false, ...paper }: Props) {
  return (
    <Paper component="section" className="panel" {...paper}>
      {title && (
        <Group justify="space-between" align="flex-start" gap="sm" className="panel-head">
          <Box miw={0} flex="1 1 8rem">
            <Title order={2} size="0.9375rem" className="break">
              {title}
            </Title>
            {description && (
              <Text c="dimmed" size="sm" mt={2} className="break">
                {description}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={isFlush ? undefined : 'panel-body'}>{children}</div>
    </Paper>
  );
}
