import { type MutationKey, useIsMutating } from '@tanstack/react-query';

/** The key of actions that delete what their page shows. */
export const DELETION: MutationKey = ['deletion'];

/** Whether what the page shows is being deleted: a refresh would not find it any more. */
export const useIsDeleting = (): boolean => useIsMutating({ mutationKey: DELETION }) > 0;
