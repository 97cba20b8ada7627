import { useSession } from './session';

/** Members do not see controls that the API would refuse. */
export const useIsAdmin = (): boolean => useSession()?.user.role === 'admin';
