import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router';

import { unwrap, api } from '../api/client';
import { Loading } from '../components/states';
import { useLeaveConfirmation } from '../components/use-unsaved-guard';
import { t } from '../texts/text';
import { DeliveryBanner } from './delivery-banner';
import { JumpIcon, useJump } from './jump';
import { Navigation } from './navigation';
import { useKeptFocus } from './use-kept-focus';
import { updateSession, useSession } from './session';

/** The layout of all pages behind the login. Redirects to the login if nobody is signed in, and back afterwards. */
export function Shell() {
  const session = useSession();
  const location = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { openPalette, openHelp, dialogs } = useJump();
  useFreshSession(session !== null && !session.isExpired);
  useEffect(close, [location.pathname, close]);
  useLeaveConfirmation();
  useKeptFocus();

  if (!session) {
    const back = `${location.pathname}${location.search}`;
    return <Navigate to={`/login?back=${encodeURIComponent(back)}`} replace />;
  }
  return (
    <AppShell
      layout="alt"
      header={{ height: 52, collapsed: false }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      withBorder={false}
    >
      <a href="#content" className="skip-link">
        {t('common.nav.skip')}
      </a>
      <AppShell.Header hiddenFrom="md" px="md" className="top-bar">
        <Group h="100%" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={t('common.nav.title')}
            aria-expanded={isOpen}
          />
          <Text fw={600} truncate>
            {session.account.name}
          </Text>
          <JumpIcon onClick={openPalette} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="side-bar">
        <Navigation session={session} isOpen={isOpen} onClose={close} onSearch={openPalette} onHelp={openHelp} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="page">
        <DeliveryBanner />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <ScrollRestoration />
      {dialogs}
    </AppShell>
  );
}

/** Reloads the role and the names, so that changes show without a new login. */
function useFreshSession(isSignedIn: boolean): void {
  const { data } = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/auth/me', { signal })),
    enabled: isSignedIn,
    staleTime: 60_000,
  });
  useEffect(() => {
    if (data) updateSession(data);
  }, [data]);
}
