import { useEffect, useRef } from 'react';
import { NavigationType, useBlocker } from 'react-router';

import { t, type TextId } from '../texts/text';
import { confirmAction } from './confirm-action';

interface LocationState {
  isUnguarded?: boolean;
}

/** Options of `navigate` after a save or a deletion, when nothing is left to be saved. */
export const UNGUARDED: { state: LocationState } = { state: { isUnguarded: true } };

/** The forms of the page that have unsaved changes, and the text of the question about each. */
const unsaved = new Map<object, TextId>();

/** Asks before leaving a page while a form has unsaved changes, or while it shows something that would be lost. */
export function useUnsavedGuard(isDirty: boolean, text: TextId = 'common.leave.text'): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = {};
    unsaved.set(form, text);
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => {
      unsaved.delete(form);
      window.removeEventListener('beforeunload', hold);
    };
  }, [isDirty, text]);
}

/** Asks for all forms that `useUnsavedGuard` guards. Used once: the router allows one blocker at a time. */
export function useLeaveConfirmation(): void {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    // The state stays in the history, where it says nothing about the page that a step back leaves.
    const state = historyAction === NavigationType.Pop ? null : (nextLocation.state as LocationState | null);
    return unsaved.size > 0 && state?.isUnguarded !== true && currentLocation.pathname !== nextLocation.pathname;
  });
  const latest = useRef(blocker);
  useEffect(() => {
    latest.current = blocker;
  });
  const isAsking = useRef(false);
  // Asks once, also if the user tries again while the question is open: the answer is for the last attempt. One right
  // after the answer can be blocked before its state was rendered: it has another location.
  useEffect(() => {
    if (blocker.state !== 'blocked' || isAsking.current) return;
    isAsking.current = true;
    const answer = (act: 'proceed' | 'reset') => () => {
      isAsking.current = false;
      latest.current[act]?.();
    };
    askToLeave(answer('proceed'), answer('reset'));
  }, [blocker.state, blocker.location]);
}

/** Calls `leave`, which discards unsaved changes, if there are none or the user agrees. */
export function ifLeaving(leave: () => void): void {
  if (unsaved.size > 0) askToLeave(leave);
  else leave();
}

const askToLeave = (onConfirm: () => void, onCancel?: () => void) =>
  confirmAction({
    title: t('common.leave.title'),
    children: t([...unsaved.values()].at(-1) ?? 'common.leave.text'),
    confirm: t('common.leave.confirm'),
    onConfirm,
    onCancel,
  });
