import { createHash, randomBytes } from 'node:crypto';

import { TEST_MESSAGES_PER_DAY } from '../../../config/limits.js';
import { isSameAddress, parseAddress } from '../../../shared/ip-address.js';
import type { KeyMode } from '../../../shared/key-mode.js';
import type { Scope } from '../../../shared/permissions.js';

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Absent fields are kept. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'ipAllowlist' | 'expiresAt' | 'dailyLimit'>>;

/** A caller's credential for one account. Only the SHA-256 of its secret is stored. */
export class ApiKey {
  id!: string;
  /** The account whose messages, contacts and suppressions the key works with: of a test key, a test account. */
  accountId!: string;
  /** Set for test keys: the account that manages the key, and whose templates and settings it uses. */
  testOf!: string | null;
  name!: string;
  /** The first characters of the secret, by which people recognise the key: 8, or 13 for a test key. */
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

  get mode(): KeyMode {
    return this.testOf === null ? 'live' : 'test';
  }

  /** How many messages the key may send on a UTC day; null: as many as the account. A test key has no such cap. */
  get messagesPerDay(): number | null {
    return this.dailyLimit ?? (this.mode === 'test' ? TEST_MESSAGES_PER_DAY : null);
  }

  admits(clientAddress: string): boolean {
    return this.ipAllowlist.length === 0 || this.ipAllowlist.some((allowed) => isSameAddress(allowed, clientAddress));
  }
}

/** Null for anything that is not a single address, such as a range. */
export const canonicalAddress = (text: string): string | null =>
  /[[\]]|^[\d.]+:\d+$/.test(text) ? null : (parseAddress(text)?.toString() ?? null);

const SECRET_PREFIX = { live: 'sk_', test: 'sk_test_' } as const satisfies Record<KeyMode, string>;
/** Characters of a secret that are shown after its prefix. */
const SHOWN_CHARACTERS = 5;

/** `sk_`, or `sk_test_` for a test key, and 43 base64url characters: 256 random bits. */
export const newSecret = (mode: KeyMode = 'live'): string =>
  SECRET_PREFIX[mode] + randomBytes(32).toString('base64url');

export const prefixOf = (secret: string, mode: KeyMode = 'live'): string =>
  secret.slice(0, SECRET_PREFIX[mode].length + SHOWN_CHARACTERS);

/** A fast hash suffices: a secret of 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
