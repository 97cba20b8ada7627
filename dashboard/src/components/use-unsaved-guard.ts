import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

import { t } from '../texts/text';
import { confirmAction } from './confirm-action';

/** Asks before leaving a page with unsaved changes. Call `allowNavigation` before navigating after a save. */
export function useUnsavedGuard(isDirty: boolean): { allowNavigation: () => void } {
  const isSaved = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isSaved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    isSaved.current = false;
  }, [isDirty]);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    confirmAction({
      title: t('common.leave.title'),
      children: t('common.leave.text'),
      confirm: t('common.leave.confirm'),
      onConfirm: blocker.proceed,
      onCancel: blocker.reset,
    });
  }, [blocker]);
  useEffect(() => {
    if (!isDirty) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [isDirty]);
  return { allowNavigation: () => (isSaved.current = true) };
}
