import { useAction } from '../../components/use-action';

type Options<In, Out> = Omit<Parameters<typeof useAction<In, Out>>[0], 'invalidates' | 'refetchesOnConflict'>;

/** An action on a message. If its status does not allow it any more, the message is loaded again. */
export const useMessageAction = <In = void, Out = unknown>(options: Options<In, Out>) =>
  useAction<In, Out>({ ...options, invalidates: [['messages'], ['message']], refetchesOnConflict: true });
