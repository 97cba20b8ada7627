import type { Page, PageRequest } from '../../../../shared/page.js';
import type { KeyMode } from '../../../../shared/key-mode.js';
import type { ApiKey, ApiKeyChange, ApiKeyStatus } from '../../domain/api-key.js';

/** Null means no restriction. */
export interface ApiKeyFilter {
  status: ApiKeyStatus | null;
  mode: KeyMode | null;
}

/**
 * API keys that an account manages, live ones and test ones; those of other accounts are invisible, except to methods
 * AcrossAccounts.
 */
export abstract class ApiKeyRepository {
  /** Throws a conflict if the account has MAX_KEYS that are not revoked; exact under concurrency. */
  abstract add(key: ApiKey): Promise<void>;

  /** Newest first: the keys that match the filter at that time. */
  abstract list(accountId: string, page: PageRequest, filter: ApiKeyFilter, now: Date): Promise<Page<ApiKey>>;

  abstract find(accountId: string, id: string): Promise<ApiKey | null>;

  /** Changes the key unless it is revoked, atomically. Returns whether it was changed. */
  abstract changeUnlessRevoked(accountId: string, id: string, change: ApiKeyChange): Promise<boolean>;

  /** Revokes the key unless it is revoked already. Returns it, or null if there is none. */
  abstract revoke(accountId: string, id: string, now: Date): Promise<ApiKey | null>;

  /** Finds a key by the SHA-256 of its secret, which is unique in the installation. */
  abstract findBySecretAcrossAccounts(secretHash: Buffer): Promise<ApiKey | null>;

  /** Records a use unless one after `unlessAfter` is recorded already. */
  abstract recordUseAcrossAccounts(id: string, now: Date, unlessAfter: Date): Promise<void>;
}
