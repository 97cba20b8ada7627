import { normaliseEmail } from '../../../shared/email-address.js';
import type { SetUpFor } from './set-up-for.js';
import { expiryIfMailedAt, mailTimeIfExpiresAt } from './verification-token.js';

export const SENDER_STATUSES = ['pending', 'verified'] as const;
export type SenderStatus = (typeof SENDER_STATUSES)[number];

const MAIL_INTERVAL_MS = 60_000;
const FIRST_POLL_AFTER_MS = 60_000;

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
  /** Where its identity in SES was made on its behalf, and did not stand already. */
  madeIn!: SetUpFor[];
  /** SHA-256 of the token in the latest mail; null once it was used. Where SES mails, nobody knows the token. */
  tokenHash!: Buffer | null;
  tokenExpiresAt!: Date | null;
  /** When SES is asked again whether its link was used; null: not by itself. */
  nextCheckAt!: Date | null;
  verifiedAt!: Date | null;
  createdAt!: Date;

  static pending(
    id: string,
    { accountId, email, setUpFor }: Pick<Sender, 'accountId' | 'email' | 'setUpFor'>,
    tokenHash: Buffer,
    now: Date,
  ): Sender {
    return Object.assign(new Sender(), {
      id,
      accountId,
      setUpFor,
      madeIn: [],
      email: email.trim(),
      normalisedEmail: normaliseEmail(email),
      status: 'pending',
      tokenHash,
      tokenExpiresAt: expiryIfMailedAt(now),
      nextCheckAt: firstPollAt(setUpFor, now),
      verifiedAt: null,
      createdAt: now,
    } satisfies Omit<Sender, 'secondsUntilNextMail'>);
  }

  /** 0 where the next mail may go out now. */
  secondsUntilNextMail(now: Date): number {
    if (this.tokenExpiresAt === null) return 0;
    const mailedAgoMs = now.getTime() - mailTimeIfExpiresAt(this.tokenExpiresAt).getTime();
    return Math.max(0, Math.ceil((MAIL_INTERVAL_MS - mailedAgoMs) / 1_000));
  }
}

/** Of the senders whose token expires later than this, the latest mail is less than a minute old. */
export const expiryIfMailedAMinuteBefore = (now: Date): Date =>
  expiryIfMailedAt(new Date(now.getTime() - MAIL_INTERVAL_MS));

/** When to ask SES first whether the link that it mails now was used. */
export const firstPollAt = (setUpFor: SetUpFor, mailedAt: Date): Date | null =>
  setUpFor === 'smtp' ? null : new Date(mailedAt.getTime() + FIRST_POLL_AFTER_MS);
