import { useSyncExternalStore } from 'react';

import type { Schemas } from '../api/types';

export type Session = Pick<Schemas['LoginResponse'], 'accessToken' | 'user' | 'account'> & {
  /** The token is no longer accepted. The page keeps its state until the user signs in again. */
  isExpired?: boolean;
};

const KEY = 'session';
const listeners = new Set<() => void>();
let current = read();

/**
 * The signed-in user. Stored in sessionStorage: it survives a reload, but no other tab and no later user of the browser
 * can read the token.
 */
export const useSession = (): Session | null => useSyncExternalStore(subscribe, getSession);

export const getSession = (): Session | null => current;

/**
 * The id of the signed-in user with that of the account, also if the session has expired; null if nobody is signed in.
 */
export const getOwner = (): string | null => current && `${current.user.id} ${current.account.id}`;

/** The same as `getOwner`, but null if the session has expired. */
export const getActor = (): string | null => (current?.isExpired ? null : getOwner());

export function beginSession({ accessToken, user, account }: Session): void {
  change({ accessToken, user, account });
}

export function endSession(): void {
  change(null);
}

/** Marks this session as expired. A session that has replaced it in the meantime is not affected. */
export function expireSession({ accessToken }: Session): void {
  if (current?.accessToken === accessToken) change({ ...current, isExpired: true });
}

/** Applies a role or a name that changed after the login. */
export function updateSession(parts: Partial<Pick<Session, 'user' | 'account'>>): void {
  if (current) change({ ...current, ...parts });
}

function change(session: Session | null): void {
  current = session;
  store(session);
  for (const listener of listeners) listener();
}

function store(session: Session | null): void {
  try {
    if (session && !session.isExpired) sessionStorage.setItem(KEY, JSON.stringify(session));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked or full: then the session ends when the page is reloaded.
  }
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
