import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

import { askFirst } from './confirm';

/** Asks before changes that are not saved are left behind. `letThrough` is for the navigation that follows saving. */
export function useUnsavedGuard(isDirty: boolean): { letThrough: () => void } {
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
    askFirst({
      title: 'Leave without saving?',
      children: 'Your changes have not been saved.',
      confirm: 'Leave',
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
  return { letThrough: () => (isSaved.current = true) };
}
