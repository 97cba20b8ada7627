import type { Sender } from '../../domain/sender.js';

/** Pending senders by the SHA-256 of the token that was mailed to them, which is unique in the installation. */
export abstract class MailedTokens {
  /** Null for a token that is unknown, used, replaced or expired. */
  abstract findSenderAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;

  /** Verifies its sender and takes the token out of use. Of concurrent calls one gets the sender, the others null. */
  abstract redeemAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;
}
