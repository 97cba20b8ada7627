import { modals, ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useLocation } from 'react-router';

import { markDialogsReady } from '../components/dialogs-ready';
import { clearNotifications, renewOffer } from '../components/offer-undo';
import { t } from '../texts/text';
import { getActor, useSession } from './session';
import { SignInAgain, Z_INDEX } from './sign-in-again';

/** Renders confirmations and notifications, and asks for the password when the session has expired. */
export default function DialogArea() {
  const session = useSession();
  const actor = getActor();
  const { pathname } = useLocation();
  useEffect(markDialogsReady, []);
  // A dialog belongs to the page, and to the user, that opened it.
  useEffect(() => () => modals.closeAll(), [pathname, actor]);
  // Nobody sees or undoes what somebody else did.
  useEffect(() => {
    renewOffer();
    return clearNotifications;
  }, [actor]);
  return (
    <ModalsProvider
      labels={{ confirm: t('common.confirm'), cancel: t('common.action.cancel') }}
      modalProps={session?.isExpired ? { zIndex: Z_INDEX + 1 } : undefined}
    >
      <Notifications position="bottom-right" />
      {session?.isExpired && <SignInAgain session={session} />}
    </ModalsProvider>
  );
}
