import type { Account } from '../../domain/account.js';

export abstract class AccountRepository {
  abstract find(accountId: string): Promise<Account | null>;
  abstract add(account: Account): Promise<void>;
  abstract save(account: Account): Promise<void>;
}
