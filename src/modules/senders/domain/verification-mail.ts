import { createHash, randomBytes } from 'node:crypto';

import { VERIFICATION_LINK_LIFETIME_MS } from '../../../config/limits.js';

/**
 * The address without its sub-address part (RFC 5233): `ceo+1@example.com` and `ceo+2@example.com` are one mailbox at
 * most providers, so their mails count together.
 */
export const mailboxOf = (normalisedEmail: string): string => normalisedEmail.replace(/^([^+@]+)\+.*@/, '$1@');

/** 256 random bits in 43 base64url characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash is enough: 256 random bits cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const expiryIfMailedAt = (mailedAt: Date): Date => new Date(mailedAt.getTime() + VERIFICATION_LINK_LIFETIME_MS);
