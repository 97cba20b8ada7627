import { type MutationKey, useIsMutating } from '@tanstack/react-query';

/** The mutation key of actions that delete the object of their page. */
export const DELETION: MutationKey = ['deletion'];

/** Whether the object of the page is being deleted: a refresh would no longer find it. */
export const useIsDeleting = (): boolean => useIsMutating({ mutationKey: DELETION }) > 0;
