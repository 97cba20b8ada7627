import { queryClient } from '../api/query-client';
import { endSession } from './session';

/** Ends the session and forgets what it has loaded. */
export function signOut(): void {
  endSession();
  queryClient.clear();
}
