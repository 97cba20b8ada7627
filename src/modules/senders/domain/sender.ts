import { normaliseEmail } from '../../../shared/email-address.js';
import { type ProviderKey, SERVICE_KEY, type VerificationProvider } from '../../../shared/provider-key.js';
import { expiryIfMailedAt } from './verification-mail.js';

export const SENDER_STATUSES = ['pending', 'verified'] as const;
export type SenderStatus = (typeof SENDER_STATUSES)[number];

const FIRST_POLL_AFTER_MS = 60_000;

interface NewSender {
  accountId: string;
  email: string;
  providerKey: ProviderKey;
  verificationProvider: VerificationProvider;
}

/** A single address that an account may send from after the owner of its mailbox has confirmed it by a mailed link. */
export class Sender {
  id!: string;
  accountId!: string;
  /** As given, trimmed. */
  email!: string;
  normalisedEmail!: string;
  status!: SenderStatus;
  /** The sender of the latest link: this account at a provider, or the service. */
  providerKey!: ProviderKey;
  /**
   * The provider that carried the latest link. A verified sender may be used only with providers for which this one
   * proves it. Null if the link was sent by a version that did not record it.
   */
  verificationProvider!: VerificationProvider | null;
  /** The accounts at providers in which the service created an identity for it, as opposed to finding one. */
  identityCreatedIn!: ProviderKey[];
  /** SHA-256 of the token in the latest mail; null after it was used. If a provider mails, nobody has the token. */
  tokenHash!: Buffer | null;
  tokenExpiresAt!: Date | null;
  /** The time to poll the provider for the confirmation; null: never. */
  nextCheckAt!: Date | null;
  verifiedAt!: Date | null;
  createdAt!: Date;

  static pending(id: string, { email, ...sender }: NewSender, tokenHash: Buffer, now: Date): Sender {
    return Object.assign(new Sender(), {
      id,
      accountId: sender.accountId,
      providerKey: sender.providerKey,
      verificationProvider: sender.verificationProvider,
      identityCreatedIn: [],
      email: email.trim(),
      normalisedEmail: normaliseEmail(email),
      status: 'pending',
      tokenHash,
      tokenExpiresAt: expiryIfMailedAt(now),
      nextCheckAt: firstPollAt(sender.providerKey, now),
      verifiedAt: null,
      createdAt: now,
    } satisfies Sender);
  }
}

/** The time of the first poll after the provider mailed a link; null if the service mails the link. */
export const firstPollAt = (providerKey: ProviderKey, mailedAt: Date): Date | null =>
  providerKey === SERVICE_KEY ? null : new Date(mailedAt.getTime() + FIRST_POLL_AFTER_MS);
