export interface ErasedPart {
  /** The key after which the next part begins; null after the last part. */
  next: string | null;
  /** Whether rows were skipped because somebody, such as a worker, holds them: another pass is due. */
  hasSkipped: boolean;
}

/**
 * Erases the data that identifies a recipient from the tables of one module, part by part. Every module whose tables
 * hold such data provides one under its token.
 */
export abstract class RecipientErasure {
  /**
   * Erases the part that begins after `after`, which is empty at first, in short transactions of its own. Rows that
   * somebody holds are skipped instead of waited for. A part may be erased again after a crash. `email` is normalised.
   */
  abstract erasePart(accountId: string, email: string, after: string): Promise<ErasedPart>;
}

/** The modules with data about recipients. Erasures in progress are stored by position: add new ones at the end. */
export const RECIPIENT_ERASURE = {
  messages: Symbol('RecipientErasure of messages'),
  providerEvents: Symbol('RecipientErasure of provider-events'),
  webhooks: Symbol('RecipientErasure of webhooks'),
  imports: Symbol('RecipientErasure of imports'),
  campaigns: Symbol('RecipientErasure of campaigns'),
  batchResults: Symbol('RecipientErasure of the results of batches'),
  outbox: Symbol('RecipientErasure of undispatched events'),
  consents: Symbol('RecipientErasure of consent records'),
  forms: Symbol('RecipientErasure of forms'),
} as const;
