import type { Sender } from '../../domain/sender.js';

/** Pending senders by the SHA-256 of their mailed token, which is unique in the installation. */
export abstract class VerificationTokens {
  /** Null if the token is unknown, used, replaced or expired. */
  abstract findSenderAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;

  /** Verifies the sender and invalidates the token. Of concurrent calls one gets the sender, the others null. */
  abstract redeemAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;
}
