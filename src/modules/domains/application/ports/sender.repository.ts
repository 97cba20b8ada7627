import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Sender } from '../../domain/sender.js';

/** Senders of one account. A sender of another account is never seen or changed. */
export abstract class SenderRepository {
  /** Adds the sender unless its normalised address stands in the account already. Of concurrent calls one adds. */
  abstract addIfAbsent(sender: Sender): Promise<'added' | 'stood'>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Sender>>;

  abstract find(accountId: string, id: string): Promise<Sender | null>;

  /** The sender as it was; null if there is none. Of concurrent calls one gets it. */
  abstract remove(accountId: string, id: string): Promise<Sender | null>;

  /**
   * Gives a pending sender another token, unless its present one expires after `unlessExpiresAfter`; the sender as it
   * then stands, null if nothing was replaced. Of concurrent calls one replaces.
   */
  abstract replaceToken(
    accountId: string,
    id: string,
    replacement: { hash: Buffer; expiresAt: Date },
    unlessExpiresAfter: Date,
  ): Promise<Sender | null>;

  /** Unless the sender has another token by now, or none. */
  abstract setTokenExpiry(accountId: string, id: string, tokenHash: Buffer, expiresAt: Date): Promise<void>;
}
