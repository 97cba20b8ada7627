import { createHash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 8;

/** `sk_` + 43 base64url characters: 256 random bits. */
export const newSecret = (): string => `sk_${randomBytes(32).toString('base64url')}`;

export const prefixOf = (secret: string): string => secret.slice(0, PREFIX_LENGTH);

/** Fast on purpose: a secret of 256 random bits cannot be guessed, so its hash needs no stretching. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
