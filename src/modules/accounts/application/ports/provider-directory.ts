import type { AccountProvider } from '../../../../shared/account-provider.js';

/** Through what an account's e-mail leaves. */
export abstract class ProviderDirectory {
  /** As the settings say: SES, or the account's relay, else the installation's; null where neither relay is set. */
  abstract find(accountId: string): Promise<AccountProvider | null>;
}
