/**
 * Erases what identifies a recipient from the tables of one module. Every module whose tables hold such data provides
 * one under its token.
 */
export abstract class RecipientErasure {
  /**
   * Runs in the current transaction; `email` is normalised. Returns how many messages it left alone because a worker is
   * sending them: they need a later call.
   */
  abstract erase(accountId: string, email: string): Promise<number>;
}

/** The modules with data about recipients, in the order in which transactions lock their tables. */
export const RECIPIENT_ERASURE = {
  messages: Symbol('RecipientErasure of messages'),
  providerEvents: Symbol('RecipientErasure of provider-events'),
  webhooks: Symbol('RecipientErasure of webhooks'),
  imports: Symbol('RecipientErasure of imports'),
  campaigns: Symbol('RecipientErasure of campaigns'),
} as const;
