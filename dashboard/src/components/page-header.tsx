import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { usePageTitle } from './use-page-title';

interface Props {
  title: string;
  /** Defaults to `title`, which is also the title of the tab. */
  heading?: ReactNode;
  description?: ReactNode;
  back?: { to: string; label: string };
  children?: ReactNode;
}

/** The top of a page: title, description and, as children, its actions. */
export function PageHeader({ title, heading = title, description, back, children }: Props) {
  usePageTitle(title);
  return (
    <Box component="header" mb="lg">
      {back && (
        <Anchor component={Link} to={back.to} size="sm" className="back-link" mb={6}>
          <ArrowLeft size={14} aria-hidden /> {back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0} flex="1 1 20rem">
          <Title order={1} className="break">
            {heading}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4} maw={720}>
              {description}
            </Text>
          )}
        </Box>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </Box>
  );
}
