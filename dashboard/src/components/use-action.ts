import { notifications } from '@mantine/notifications';
import { type MutationKey, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

import { ApiError } from '../api/client';
import { getActor, getOwner } from '../app/session';
import { t } from '../texts/text';
import { offerUndo } from './offer-undo';
import { DELETION } from './use-is-deleting';

interface Options<In, Out> {
  run: (input: In) => Promise<Out>;
  /** Lets other components observe the action with `useIsMutating`. */
  mutationKey?: MutationKey;
  /** Shown as a notification on success. Omit it where the page itself shows the result. */
  successMessage?: string | ((out: Out, input: In) => string);
  /** Reverses the action exactly. The notification offers it if it is defined. */
  undo?: (out: Out) => Undo | undefined;
  /** The queries of what the action deletes. Those in flight are canceled. See `useIsDeleting`. */
  deletes?: readonly QueryKey[];
  /** Queries to refetch on success, and if the object of the action has been deleted meanwhile. */
  invalidates?: readonly QueryKey[];
  /** Refetches them after a conflict, too: the data of the page has changed meanwhile. */
  refetchesOnConflict?: boolean;
  /** Reports the success instead of `successMessage`, where that takes more than a text. */
  report?: (out: Out, input: In) => void;
  /** Continues on the page. Not called after the component has unmounted: the user is elsewhere by then. */
  onSuccess?: (out: Out, input: In) => void;
  /** Set where a form shows the error, so that no notification does, unless the form has gone by then. */
  isErrorShownInForm?: boolean;
}

/** Statuses of failures that a later attempt may avoid: not reached, not signed in, too many requests. */
const REPEATABLE: ReadonlySet<number> = new Set([0, 401, 429]);

interface Undo {
  run: () => Promise<unknown>;
  successMessage: string;
}

/**
 * A mutation with notifications and query invalidation. Calls during a run are ignored, because a second click can
 * arrive before the button renders as busy.
 */
export function useAction<In = void, Out = unknown>({
  run,
  mutationKey,
  successMessage,
  undo,
  report,
  deletes,
  invalidates = [],
  refetchesOnConflict = false,
  onSuccess,
  isErrorShownInForm,
}: Options<In, Out>) {
  const queryClient = useQueryClient();
  const isRunning = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const refetch = () => Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  /**
   * Works on other pages, too: whoever undoes an action may have left its page. Returns whether it failed in a way that
   * makes it worth repeating.
   */
  const runUndo = async (step: Undo): Promise<boolean> => {
    const actor = getOwner();
    let isRepeatable = false;
    try {
      await step.run();
      if (getActor() === actor) notifications.show({ color: 'teal', message: step.successMessage });
    } catch (error) {
      showError(error as Error, actor);
      isRepeatable = error instanceof ApiError && (REPEATABLE.has(error.status) || error.status >= 500);
    }
    void refetch();
    return isRepeatable;
  };
  const showMessage = (out: Out, input: In) => {
    if (successMessage === undefined) return;
    const message = typeof successMessage === 'string' ? successMessage : successMessage(out, input);
    const step = undo?.(out);
    if (step) offerUndo(message, () => runUndo(step));
    else notifications.show({ color: 'teal', message });
  };
  const { mutate, ...action } = useMutation<Out, Error, In, string | null>({
    mutationFn: async (input) => {
      for (const queryKey of deletes ?? []) await queryClient.cancelQueries({ queryKey });
      return run(input);
    },
    mutationKey: deletes ? DELETION : mutationKey,
    onMutate: getOwner,
    onSuccess: async (out, input, actor) => {
      if (getActor() === actor) (report ?? showMessage)(out, input);
      if (isShown.current) onSuccess?.(out, input);
      await refetch();
    },
    onError: (error, _input, actor) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 404 || (refetchesOnConflict && status === 409)) void refetch();
      if (!isErrorShownInForm || !isShown.current) showError(error, actor);
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const runOnce = useCallback(
    (input: In) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(input);
    },
    [mutate],
  );
  return { ...action, mutate: runOnce };
}

/** Shows the error to the user who acted, also if their session has just expired, but to nobody who signed in since. */
function showError({ message }: Error, actor: string | null | undefined): void {
  if (getOwner() === actor) notifications.show({ color: 'red', title: t('common.error.action'), message });
}
