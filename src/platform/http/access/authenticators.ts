import type { Role, Scope } from '../../../shared/permissions.js';
import type { KeyCaller, SessionCaller } from './caller.js';

/** Authenticates API keys; implemented by the keys module. */
export abstract class KeyAuthenticator {
  /**
   * Throws `unauthenticated` for a missing, unknown, revoked or expired key or a denied address, `forbidden` for a
   * missing scope.
   */
  abstract authenticate(secret: string | undefined, clientAddress: string, scope: Scope): Promise<KeyCaller>;
}

/** Authenticates dashboard sessions; implemented by the accounts module. */
export abstract class SessionAuthenticator {
  /** Throws `unauthenticated` for a missing or invalid token or a deleted user, `forbidden` for a lesser role. */
  abstract authenticate(token: string | undefined, role: Role): Promise<SessionCaller>;
}
