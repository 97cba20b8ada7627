/** `admin`: everything in the account; `member`: reads. */
export const ROLES = ['admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The endpoints that an API key may call. */
export const SCOPES = ['send', 'read_events', 'contacts:read', 'contacts:write', 'sms:send'] as const;
export type Scope = (typeof SCOPES)[number];
