import { queryClient } from '../api/query-client';
import { endSession } from './session';

/** Ends the session and clears the data that it has loaded. */
export function signOut(): void {
  endSession();
  queryClient.clear();
}
