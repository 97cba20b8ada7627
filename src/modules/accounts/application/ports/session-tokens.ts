import type { Role } from '../../../../shared/permissions.js';

export interface SessionClaims {
  /** The user's id. */
  sub: string;
  accountId: string;
  role: Role;
  /** The user's session stamp when the session started. */
  stamp: string;
}

/** Signed bearer tokens of dashboard sessions. */
export abstract class SessionTokens {
  abstract readonly lifetimeSeconds: number;

  abstract issue(claims: SessionClaims): Promise<string>;

  /** Null if the token is expired, altered or not issued by this service. */
  abstract verify(token: string): Promise<SessionClaims | null>;
}
