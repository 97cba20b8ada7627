import { createHash, randomBytes } from 'node:crypto';

/** Limits of mails with a verification link, per UTC day. */
export const VERIFICATION_MAILS_PER_DAY = {
  /** From one account, to all addresses together. */
  account: 50,
  /** To one mailbox, from all accounts of the installation together. */
  address: 10,
  /** From one account to one address, so that no account can exhaust the limit of the mailbox. */
  accountAndAddress: 5,
} as const;

/** The minimum time between two mails from one account to one address. */
export const MAIL_INTERVAL_SECONDS = 60;

/**
 * The address without its sub-address part (RFC 5233): `ceo+1@example.com` and `ceo+2@example.com` are one mailbox at
 * most providers, so their mails count together.
 */
export const mailboxOf = (normalisedEmail: string): string => normalisedEmail.replace(/^([^+@]+)\+.*@/, '$1@');

const TOKEN_LIFETIME_MS = 24 * 3_600_000;

/** 256 random bits in 43 base64url characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash is enough: 256 random bits cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const expiryIfMailedAt = (mailedAt: Date): Date => new Date(mailedAt.getTime() + TOKEN_LIFETIME_MS);
