import type { StoredSettings } from '../../../../shared/account-settings.js';

/** The stored provider settings of accounts. */
export abstract class ProviderSettings {
  /** Reads the current settings; null if there is no such account. Concurrent calls share one statement. */
  abstract find(accountId: string): Promise<StoredSettings | null>;
}
