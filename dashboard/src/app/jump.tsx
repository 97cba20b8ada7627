import { ActionIcon, Kbd, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect } from 'react';

import { lazyDialog } from '../components/lazy-dialog';
import { t } from '../texts/text';
import { useSession } from './session';
import { useShortcuts } from './use-shortcuts';

const CommandPalette = lazyDialog(() => import('./command-palette'));
const ShortcutHelp = lazyDialog(() => import('./shortcut-help'));

/** The keyboard shortcuts, and the dialogs that they open. */
export function useJump() {
  const [isPaletteOpen, { open: openPalette, close: closePalette }] = useDisclosure();
  const [isHelpOpen, { open: openHelp, close: closeHelp }] = useDisclosure();
  const isExpired = useSession()?.isExpired;
  useShortcuts({ onPalette: openPalette, onHelp: openHelp, isOpen: isPaletteOpen || isHelpOpen });
  // Back also closes what was opened on the page that it leaves.
  useWindowEvent('popstate', () => {
    closePalette();
    closeHelp();
  });
  // The palette would cover the dialog that asks for the password.
  useEffect(closePalette, [isExpired, closePalette]);
  return {
    openPalette,
    openHelp,
    dialogs: (
      <>
        {isPaletteOpen && <CommandPalette onClose={closePalette} />}
        {isHelpOpen && <ShortcutHelp onClose={closeHelp} />}
      </>
    ),
  };
}

interface Props {
  onClick: () => void;
}

const IS_MAC = navigator.userAgent.includes('Mac');

export const JumpButton = ({ onClick }: Props) => (
  <UnstyledButton className="jump-button" onClick={onClick} aria-keyshortcuts="Control+K Meta+K">
    <Search size={15} aria-hidden />
    <Text component="span" size="sm" flex={1}>
      {t('common.search')}
    </Text>
    <Kbd size="xs" aria-hidden>
      {IS_MAC ? '⌘ K' : t('common.shortcuts.palette.short')}
    </Kbd>
  </UnstyledButton>
);

/** The search button in the bar at the top of small screens. */
export const JumpIcon = ({ onClick }: Props) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common.search')} onClick={onClick} ml="auto">
    <Search size={18} aria-hidden />
  </ActionIcon>
);
