import { useSession } from './session';

/** Members see no controls that the API would refuse them. */
export const useIsAdmin = (): boolean => useSession()?.user.role === 'admin';
