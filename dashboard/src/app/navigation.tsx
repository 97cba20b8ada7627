import { ActionIcon, Avatar, Box, Burger, Group, Menu, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { BookOpen, ChevronsUpDown, Keyboard, KeyRound, LogOut } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { NavLink as RouterLink, useMatch } from 'react-router';

import { queryClient } from '../api/query-client';
import { SECTION_PATHS, type SectionPath } from './section-paths';
import { HAS_INBOX, SERVICE_URL } from './service-url';
import { ColourSchemeMenuItems } from './colour-scheme';
import { JumpButton } from './jump';
import { Logo } from './logo';
import { SECTIONS } from './sections';
import { endSession, type Session } from './session';

/** Loaded on demand because it is rarely used. */
const ChangePassword = lazy(() => import('./change-password'));

interface Props {
  session: Session;
  isOpen: boolean;
  onClose: () => void;
  onSearch: () => void;
  onHelp: () => void;
}

export function Navigation({ session, isOpen, onClose, onSearch, onHelp }: Props) {
  const shown = SECTION_PATHS.filter(
    (path) =>
      (SECTIONS[path].isDemoOnly !== true || HAS_INBOX) &&
      (session.user.role === 'admin' || !SECTIONS[path].isAdminOnly),
  );
  return (
    <>
      <Group px="md" h={60} gap="sm" wrap="nowrap">
        <Burger opened={isOpen} onClick={onClose} size="sm" hiddenFrom="sm" aria-label="Close navigation" />
        <Logo />
        <Box miw={0}>
          <Text fw={600} size="sm" lh={1.25} truncate>
            {session.account.name}
          </Text>
          <Text size="xs" c="dimmed" lh={1.25}>
            Delivery
          </Text>
        </Box>
      </Group>
      <Box px="xs" pb="xs">
        <JumpButton onClick={onSearch} />
      </Box>
      <ScrollArea flex={1} px="xs" type="auto">
        <nav aria-label="Pages">
          {shown.map((path) => (
            <Entry key={path} path={path} />
          ))}
        </nav>
      </ScrollArea>
      <Box p="xs">
        <NavLink
          component="a"
          href={`${SERVICE_URL}/docs`}
          target="_blank"
          rel="noreferrer"
          label="API reference"
          leftSection={<BookOpen size={16} aria-hidden />}
          className="nav-entry"
        />
        <UserMenu session={session} onHelp={onHelp} />
      </Box>
    </>
  );
}

function Entry({ path }: { path: SectionPath }) {
  const { label, icon: Icon } = SECTIONS[path];
  const isActive = useMatch(`/${path}/*`) !== null;
  return (
    <NavLink
      component={RouterLink}
      to={`/${path}`}
      label={label}
      active={isActive}
      leftSection={<Icon size={16} aria-hidden />}
      className="nav-entry"
    />
  );
}

function UserMenu({ session: { user }, onHelp }: { session: Session; onHelp: () => void }) {
  const [isChanging, { open, close }] = useDisclosure();
  return (
    <>
      <Menu position="top-start" width={216} shadow="md">
        <Menu.Target>
          <UnstyledButton className="user-button">
            <Avatar size={28} radius="xl" color="indigo" variant="filled" aria-hidden>
              {user.email.slice(0, 1).toUpperCase()}
            </Avatar>
            <Box flex={1} miw={0}>
              <Text size="xs" fw={500} truncate>
                {user.email}
              </Text>
              <Text size="xs" c="dimmed">
                {user.role === 'admin' ? 'Admin' : 'Member'}
              </Text>
            </Box>
            <ActionIcon component="span" variant="transparent" color="gray" size="sm" aria-hidden>
              <ChevronsUpDown size={14} />
            </ActionIcon>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <ColourSchemeMenuItems />
          <Menu.Divider />
          <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={onHelp}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={open}>
            Change password
          </Menu.Item>
          <Menu.Item
            leftSection={<LogOut size={15} aria-hidden />}
            onClick={() => {
              endSession();
              queryClient.clear();
            }}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChanging && (
        <Suspense>
          <ChangePassword email={user.email} isOpen onClose={close} />
        </Suspense>
      )}
    </>
  );
}
