import { normaliseEmail } from '../../../shared/email-address.js';
import { expiryIfMailedAt, mailTimeIfExpiresAt } from './verification-token.js';

export const SENDER_STATUSES = ['pending', 'verified'] as const;
export type SenderStatus = (typeof SENDER_STATUSES)[number];

const MAIL_INTERVAL_MS = 60_000;

/** A single address that an account may send from, once whoever reads its mail has confirmed it by a mailed link. */
export class Sender {
  id!: string;
  accountId!: string;
  /** As given, trimmed. */
  email!: string;
  normalisedEmail!: string;
  status!: SenderStatus;
  /** SHA-256 of the token in the latest mail; null once it was used. */
  tokenHash!: Buffer | null;
  tokenExpiresAt!: Date | null;
  verifiedAt!: Date | null;
  createdAt!: Date;

  static pending(id: string, accountId: string, email: string, tokenHash: Buffer, now: Date): Sender {
    return Object.assign(new Sender(), {
      id,
      accountId,
      email: email.trim(),
      normalisedEmail: normaliseEmail(email),
      status: 'pending',
      tokenHash,
      tokenExpiresAt: expiryIfMailedAt(now),
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
