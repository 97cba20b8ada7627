import { createHash, randomBytes } from 'node:crypto';

const LIFETIME_MS = 24 * 3_600_000;

/** 43 base64url characters: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Fast on purpose: 256 random bits cannot be guessed, so their hash needs no stretching. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const expiryIfMailedAt = (mailedAt: Date): Date => new Date(mailedAt.getTime() + LIFETIME_MS);
