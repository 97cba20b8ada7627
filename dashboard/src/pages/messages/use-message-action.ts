import { useQueryClient } from '@tanstack/react-query';

import { ApiError } from '../../api/client';
import { useAction } from '../../components/use-action';

type Options<In, Out> = Omit<Parameters<typeof useAction<In, Out>>[0], 'invalidates'>;

const AFFECTED = [['messages'], ['message']];

/** An action on a message. If its status does not allow it any more, the message is loaded again. */
export function useMessageAction<In = void, Out = unknown>({ run, ...options }: Options<In, Out>) {
  const queryClient = useQueryClient();
  return useAction<In, Out>({
    ...options,
    run: async (input) => {
      try {
        return await run(input);
      } catch (error) {
        if (error instanceof ApiError && error.status === 409)
          for (const queryKey of AFFECTED) void queryClient.invalidateQueries({ queryKey });
        throw error;
      }
    },
    invalidates: AFFECTED,
  });
}
