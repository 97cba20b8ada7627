import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { AccountRepository } from '../application/ports/account.repository.js';
import { Account, type AccountProfile } from '../domain/account.js';
import { profileOf } from './profile.sql.js';

@Injectable()
export class TypeOrmAccountRepository extends AccountRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: AccountChanges,
  ) {
    super();
  }

  find(accountId: string): Promise<Account | null> {
    return this.rows().findOneBy({ id: accountId });
  }

  async findProfile(accountId: string): Promise<AccountProfile | null> {
    const text = `SELECT ${profileOf('$1')} AS profile`;
    const [row] = await this.database.query<{ profile: AccountProfile | null }>(text, [accountId]);
    return row?.profile ?? null;
  }

  /** NO KEY UPDATE does not block inserts of rows that reference the account. */
  findAndLock(accountId: string): Promise<Account | null> {
    return this.rows().findOne({ where: { id: accountId }, lock: { mode: 'for_no_key_update' } });
  }

  async listSmsAcrossAccounts(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM accounts WHERE sms -> 'enabled' = 'true' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  async add(account: Account): Promise<void> {
    await this.rows().insert(account);
  }

  async addIfAbsent(account: Account): Promise<void> {
    await this.rows().createQueryBuilder().insert().values(account).orIgnore().execute();
  }

  async addIfFirstAcrossAccounts(account: Account): Promise<boolean> {
    await this.database.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    if ((await this.countAcrossAccounts(1)) > 0) return false;
    await this.add(account);
    return true;
  }

  async countAcrossAccounts(upTo: number): Promise<number> {
    return (await this.database.query('SELECT id FROM accounts LIMIT $1', [upTo])).length;
  }

  async save(account: Account): Promise<void> {
    await this.rows().update({ id: account.id }, account);
    await this.changes.announce(account.id);
  }

  private rows() {
    return this.database.manager.getRepository(Account);
  }
}
