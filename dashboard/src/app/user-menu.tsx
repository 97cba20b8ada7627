import { Menu } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { Check, Keyboard, KeyRound, LogOut } from 'lucide-react';

import { lazyDialog } from '../components/lazy-dialog';
import { ifLeaving } from '../components/use-unsaved-guard';
import { t } from '../texts/text';
import { ColourSchemeMenuItems } from './colour-scheme';
import { LanguageMenuItems } from './language-menu-items';
import type { Session } from './session';
import { signOut } from './sign-out';
import { UserButton } from './user-button';

/** Loaded on demand because it is rarely used. */
const ChangePassword = lazyDialog(() => import('./change-password'));

interface Props {
  user: Session['user'];
  isOpenAtFirst: boolean;
  onHelp: () => void;
}

export default function UserMenu({ user, isOpenAtFirst, onHelp }: Props) {
  const [isChanging, { open, close }] = useDisclosure();
  useWindowEvent('popstate', close);
  return (
    <>
      <Menu
        defaultOpened={isOpenAtFirst}
        position="top-start"
        width={216}
        shadow="md"
        // It is focusable without being a menu item, which a menu must not contain. The first item gets the focus.
        withInitialFocusPlaceholder={false}
        checkIcon={<Check size={15} aria-hidden />}
        classNames={{ itemIndicator: 'menu-indicator' }}
      >
        <Menu.Target>
          <UserButton user={user} />
        </Menu.Target>
        <Menu.Dropdown>
          <ColourSchemeMenuItems />
          <Menu.Divider />
          <LanguageMenuItems />
          <Menu.Divider />
          <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={onHelp}>
            {t('common.shortcuts')}
          </Menu.Item>
          <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={open}>
            {t('common.action.changePassword')}
          </Menu.Item>
          <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={() => ifLeaving(signOut)}>
            {t('common.action.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChanging && <ChangePassword email={user.email} onClose={close} />}
    </>
  );
}
