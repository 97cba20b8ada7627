import { ActionIcon, Avatar, Box, Text, UnstyledButton } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';

import { t } from '../texts/text';
import type { Session } from './session';

/** The button of the user menu, which is there before the menu. */
export const UserButton = ({ user, ...props }: { user: Session['user'] } & ComponentProps<'button'>) => (
  <UnstyledButton {...props} className="user-button">
    <Avatar size={28} radius="xl" color="indigo" variant="filled" aria-hidden>
      {user.email.slice(0, 1).toUpperCase()}
    </Avatar>
    <Box flex={1} miw={0}>
      <Text size="xs" fw={500} truncate>
        {user.email}
      </Text>
      <Text size="xs" c="dimmed">
        {t(`common.role.${user.role}`)}
      </Text>
    </Box>
    <ActionIcon component="span" variant="transparent" color="gray" size="sm" aria-hidden>
      <ChevronsUpDown size={14} />
    </ActionIcon>
  </UnstyledButton>
);
