import { useSyncExternalStore } from 'react';

import type { Schemas } from '../api/types';
import { getSession, useSession } from './session';

/** A key for sending that was created in this tab. */
export interface NewestKey {
  id: string;
  name: string;
  secret: string;
  smtp: Schemas['SmtpAccessResponse'] | null;
}

const listeners = new Set<() => void>();
let newest: (NewestKey & { userId: string }) | null = null;

/**
 * Remembers a sending key for the examples on the overview, in memory only: a reload or a closed tab forgets it.
 * Ignores test keys, whose messages reach nobody.
 */
export function rememberKey({ id, name, secret, smtp, scopes, mode }: Schemas['CreatedApiKeyResponse']): void {
  const session = getSession();
  if (!session || !scopes.includes('send') || mode === 'test') return;
  change({ id, name, secret, smtp: smtp ?? null, userId: session.user.id });
}

/** Call it when a key has been revoked. */
export function forgetKey(id: string): void {
  if (newest?.id === id) change(null);
}

function change(key: typeof newest): void {
  newest = key;
  for (const listener of listeners) listener();
}

/** Returns null for another user than the one who created the key. */
export function useNewestKey(): NewestKey | null {
  const userId = useSession()?.user.id;
  const key = useSyncExternalStore(subscribe, () => newest);
  return key?.userId === userId ? key : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
