import type { Page, PageRequest } from '../../../../shared/page.js';
import type { ApiKey, ApiKeyChange, ApiKeyStatus } from '../../domain/api-key.js';

/** API keys of one account. A key of another account is never seen or changed. */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey): Promise<void>;

  /** Newest first: the keys that have the status at that time, or all. */
  abstract list(accountId: string, page: PageRequest, status: ApiKeyStatus | null, now: Date): Promise<Page<ApiKey>>;

  abstract find(accountId: string, id: string): Promise<ApiKey | null>;

  /** Changes the key unless it is revoked, atomically. Returns whether it was changed. */
  abstract changeUnlessRevoked(accountId: string, id: string, change: ApiKeyChange): Promise<boolean>;

  /** Sets the time unless the key is revoked already; the key as it then stands, null if there is none. */
  abstract revoke(accountId: string, id: string, now: Date): Promise<ApiKey | null>;

  /** By the SHA-256 of its secret, which is unique in the installation. */
  abstract findBySecretAcrossAccounts(secretHash: Buffer): Promise<ApiKey | null>;

  /** Unless a use after `unlessSince` is recorded already. */
  abstract recordUseAcrossAccounts(id: string, now: Date, unlessSince: Date): Promise<void>;
}
