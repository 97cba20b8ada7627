import type { ProviderKey, VerificationProvider } from '../../shared/provider-key.js';

/**
 * Identifies a connection: where its domains and senders are registered, and who carries its verification links. Both
 * are given in code and, for the current settings of the row `account`, in SQL, with the same result.
 */
export interface ProviderKeys<C> {
  keyOf(connection: C): ProviderKey;
  /** Null: SERVICE_KEY for every account. */
  keySql: ((account: string) => string) | null;
  verificationKeyOf(connection: C): VerificationProvider;
  verificationSql(account: string): string;
}
