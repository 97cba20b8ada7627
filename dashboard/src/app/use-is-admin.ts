import { useSession } from './session';

/** Whether the user is an admin. Members do not see controls that the API would refuse. */
export const useIsAdmin = (): boolean => useSession()?.user.role === 'admin';
