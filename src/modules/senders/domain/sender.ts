import { normaliseEmail } from '../../../shared/email-address.js';
import type { LinkCarrier } from '../../../shared/verification-provider.js';
import type { SetUpFor } from '../../../shared/provider-key.js';
import { expiryIfMailedAt } from './verification-token.js';

export const SENDER_STATUSES = ['pending', 'verified'] as const;
export type SenderStatus = (typeof SENDER_STATUSES)[number];

const FIRST_POLL_AFTER_MS = 60_000;

interface Wanted {
  accountId: string;
  email: string;
  setUpFor: SetUpFor;
  carrier: LinkCarrier;
}

/** A single address that an account may send from, once whoever reads its mail has confirmed it by the link in a mail of ours, or of SES. */
export class Sender {
  id!: string;
  accountId!: string;
  /** As given, trimmed. */
  email!: string;
  normalisedEmail!: string;
  status!: SenderStatus;
  /** Whose latest mail holds the link: ours through an SMTP relay, or that of this SES. */
  setUpFor!: SetUpFor;
  /**
   * What carried the mail with the latest link, and so what a verified sender was proved through; null: a version that
   * did not record it. A verified sender holds for mail that leaves through the same.
   */
  linkCarrier!: LinkCarrier | null;
  /** Where its identity in SES was made on its behalf, and did not stand already. */
  madeIn!: SetUpFor[];
  /** SHA-256 of the token in the latest mail; null once it was used. Where SES mails, nobody knows the token. */
  tokenHash!: Buffer | null;
  tokenExpiresAt!: Date | null;
  /** When SES is asked again whether its link was used; null: not by itself. */
  nextCheckAt!: Date | null;
  verifiedAt!: Date | null;
  createdAt!: Date;

  static pending(id: string, { accountId, email, setUpFor, carrier }: Wanted, tokenHash: Buffer, now: Date): Sender {
    return Object.assign(new Sender(), {
      id,
      accountId,
      setUpFor,
      linkCarrier: carrier,
      madeIn: [],
      email: email.trim(),
      normalisedEmail: normaliseEmail(email),
      status: 'pending',
      tokenHash,
      tokenExpiresAt: expiryIfMailedAt(now),
      nextCheckAt: firstPollAt(setUpFor, now),
      verifiedAt: null,
      createdAt: now,
    } satisfies Sender);
  }
}

/** When to ask SES first whether the link that it mails now was used. */
export const firstPollAt = (setUpFor: SetUpFor, mailedAt: Date): Date | null =>
  setUpFor === 'smtp' ? null : new Date(mailedAt.getTime() + FIRST_POLL_AFTER_MS);
