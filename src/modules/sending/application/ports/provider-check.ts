import type { EmailProviderKind } from '../../../../shared/account-provider.js';

export interface ProviderCheckResult {
  /** Null if none is configured. */
  provider: EmailProviderKind | null;
  /** Why no email can be submitted; null if the provider accepts the account's settings. */
  fault: string | null;
}

export abstract class ProviderCheck {
  /** Connects to the account's email provider and signs in, without sending anything. Never throws its errors. */
  abstract check(accountId: string): Promise<ProviderCheckResult>;
}
