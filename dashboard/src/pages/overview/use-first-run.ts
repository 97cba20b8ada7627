import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';

import { useSession } from '../../app/session';
import { useNewestMessage } from './use-set-up';

/**
 * Whether the checklist is shown: on an account without messages, and from then on in this browser until the user hides
 * it. `isEmpty` is undefined while it is not known.
 */
export function useFirstRun(): { isEmpty: boolean | undefined; isShown: boolean; hide: () => void } {
  const accountId = useSession()?.account.id ?? '';
  const [isOpen, setIsOpen, forget] = useLocalStorage({
    key: `first-run:${accountId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const newest = useNewestMessage();
  const isEmpty = newest === undefined ? undefined : newest === null;
  useEffect(() => {
    if (isEmpty) setIsOpen(true);
  }, [isEmpty, setIsOpen]);
  return { isEmpty, isShown: isEmpty === true || isOpen, hide: forget };
}
