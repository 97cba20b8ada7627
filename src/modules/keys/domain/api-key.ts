import { isSameAddress, parseAddress } from '../../../shared/ip-address.js';
import type { Scope } from '../../../shared/permissions.js';

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** The fields of a key that can be changed. Absent ones are kept. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'ipAllowlist' | 'expiresAt' | 'dailyLimit'>>;

/** A caller's credential, pinned to one account. Its secret is not kept, only the secret's SHA-256. */
export class ApiKey {
  id!: string;
  accountId!: string;
  name!: string;
  /** The first 8 characters of the secret, so that people can tell keys apart. */
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

/** Exact addresses only: null for a range or anything that is not an address. */
export const canonicalAddress = (text: string): string | null =>
  /[[\]]|^[\d.]+:\d+$/.test(text) ? null : (parseAddress(text)?.toString() ?? null);
