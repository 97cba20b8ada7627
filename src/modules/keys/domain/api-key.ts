import { createHash, randomBytes } from 'node:crypto';

import { isSameAddress, parseAddress } from '../../../shared/ip-address.js';
import type { Scope } from '../../../shared/scopes.js';

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Absent fields are kept. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'ipAllowlist' | 'expiresAt' | 'dailyLimit'>>;

/** A caller's credential for one account. Only the SHA-256 of its secret is stored. */
export class ApiKey {
  id!: string;
  accountId!: string;
  name!: string;
  /** The first 8 characters of the secret, by which people recognise the key. */
  prefix!: string;
  secretHash!: Buffer;
  scopes!: Scope[];
  /** Empty: any address. */
  ipAllowlist!: string[];
  dailyLimit!: number | null;
  expiresAt!: Date | null;
  lastUsedAt!: Date | null;
  revokedAt!: Date | null;
  createdAt!: Date;

  statusAt(now: Date): ApiKeyStatus {
    if (this.revokedAt) return 'revoked';
    return this.expiresAt && this.expiresAt <= now ? 'expired' : 'active';
  }

  admits(clientAddress: string): boolean {
    return this.ipAllowlist.length === 0 || this.ipAllowlist.some((allowed) => isSameAddress(allowed, clientAddress));
  }
}

/** Null for anything that is not a single address, such as a range. */
export const canonicalAddress = (text: string): string | null =>
  /[[\]]|^[\d.]+:\d+$/.test(text) ? null : (parseAddress(text)?.toString() ?? null);

const PREFIX_LENGTH = 8;

/** `sk_` + 43 base64url characters: 256 random bits. */
export const newSecret = (): string => `sk_${randomBytes(32).toString('base64url')}`;

export const prefixOf = (secret: string): string => secret.slice(0, PREFIX_LENGTH);

/** A fast hash suffices: a secret of 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
