import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

interface Options<In, Out> {
  run: (input: In) => Promise<Out>;
  /** What to say when it worked; nothing where the page shows it. */
  done?: string | ((out: Out) => string);
  /** Whose answers are different now. */
  changes?: readonly QueryKey[];
  onDone?: (out: Out, input: In) => void;
  /** Where a form shows the refusal itself. */
  isErrorShown?: boolean;
}

/**
 * Something that changes the account: runs it, says so, has what it changed loaded anew, and shows why it was refused. While it
 * runs it does not begin again: a second click can come before the page shows that it runs.
 */
export function useAction<In = void, Out = unknown>({
  run,
  done,
  changes = [],
  onDone,
  isErrorShown,
}: Options<In, Out>) {
  const queryClient = useQueryClient();
  const isRunning = useRef(false);
  const { mutate, ...action } = useMutation<Out, Error, In>({
    mutationFn: run,
    onSuccess: async (out, input) => {
      if (done !== undefined)
        notifications.show({ color: 'teal', message: typeof done === 'string' ? done : done(out) });
      onDone?.(out, input);
      await Promise.all(changes.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => {
      if (!isErrorShown) notifications.show({ color: 'red', title: 'Something went wrong', message: error.message });
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
