import { useSyncExternalStore } from 'react';

import type { Schemas } from '../api/types';

export type Session = Pick<Schemas['LoginResponse'], 'accessToken' | 'user' | 'account'> & {
  /** The service takes its token no longer; what is on the page waits for a new login. */
  isOver?: boolean;
};

const KEY = 'session';
const listeners = new Set<() => void>();
let current = read();

/**
 * Who is signed in. Kept for this tab until it is closed (sessionStorage): a reload does not sign out, and no other tab and no later
 * visitor of the browser finds the token.
 */
export const useSession = (): Session | null => useSyncExternalStore(subscribe, getSession);

export const getSession = (): Session | null => current;

export function beginSession({ accessToken, user, account }: Session): void {
  change({ accessToken, user, account });
}

export function endSession(): void {
  change(null);
}

/** The service does not take this session any more; one that has begun since goes on. */
export function expireSession({ accessToken }: Session): void {
  if (current?.accessToken === accessToken) change({ ...current, isOver: true });
}

/** The role or the names may have changed since the login. */
export function updateSession(parts: Partial<Pick<Session, 'user' | 'account'>>): void {
  if (current) change({ ...current, ...parts });
}

function change(session: Session | null): void {
  current = session;
  if (session && !session.isOver) sessionStorage.setItem(KEY, JSON.stringify(session));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

function read(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
