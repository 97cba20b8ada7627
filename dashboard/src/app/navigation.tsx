import { Box, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { BookOpen } from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { NavLink as RouterLink, useMatch } from 'react-router';

import { reportNotLoaded } from '../components/lazy-dialog';
import { PRODUCT } from '../components/use-page-title';
import { t } from '../texts/text';
import { SECTION_PATHS, type SectionPath } from './section-paths';
import { HAS_INBOX, SERVICE_URL } from './service-url';
import { JumpButton } from './jump';
import { Logo } from './logo';
import { reloadIfKept } from './reload-if-kept';
import { SECTIONS } from './sections';
import type { Session } from './session';
import { UserButton } from './user-button';

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
        <Burger opened={isOpen} onClick={onClose} size="sm" hiddenFrom="md" aria-label={t('common.nav.close')} />
        <Logo />
        <Box miw={0}>
          <Text fw={600} size="sm" lh={1.25} truncate>
            {session.account.name}
          </Text>
          <Text size="xs" c="dimmed" lh={1.25}>
            {PRODUCT}
          </Text>
        </Box>
      </Group>
      <Box px="xs" pb="xs">
        <JumpButton onClick={onSearch} />
      </Box>
      <ScrollArea flex={1} px="xs" type="auto">
        <nav aria-label={t('common.nav.pages')}>
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
          label={t('common.nav.apiReference')}
          leftSection={<BookOpen size={16} aria-hidden />}
          className="nav-entry"
        />
        <LazyUserMenu user={session.user} onHelp={onHelp} />
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
      label={t(label)}
      active={isActive}
      leftSection={<Icon size={16} aria-hidden />}
      className="nav-entry"
    />
  );
}

const loadUserMenu = reloadIfKept(() => import('./user-menu'));
type UserMenuModule = Awaited<ReturnType<typeof loadUserMenu>>;

/**
 * Loaded beside the page, because nobody needs it before. If its button is clicked before it is there, it opens when it
 * is; the click tries again if it could not be loaded.
 */
function LazyUserMenu(props: Omit<ComponentProps<UserMenuModule['default']>, 'isOpenAtFirst'>) {
  const [menu, setMenu] = useState<UserMenuModule>();
  const [isWanted, setIsWanted] = useState(false);
  const load = (onFailure: () => void) => void loadUserMenu().then(setMenu, onFailure);
  useEffect(() => {
    load(() => undefined);
  }, []);
  const open = () => {
    setIsWanted(true);
    load(() => {
      setIsWanted(false);
      reportNotLoaded();
    });
  };
  return menu ? <menu.default {...props} isOpenAtFirst={isWanted} /> : <UserButton user={props.user} onClick={open} />;
}
