import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { AccountRepository } from '../application/ports/account.repository.js';
import { Account } from '../domain/account.js';

@Injectable()
export class TypeOrmAccountRepository extends AccountRepository {
  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string): Promise<Account | null> {
    return this.rows().findOneBy({ id: accountId });
  }

  async add(account: Account): Promise<void> {
    await this.rows().insert(account);
  }

  async save(account: Account): Promise<void> {
    await this.rows().update({ id: account.id }, account);
  }

  private rows() {
    return this.database.manager.getRepository(Account);
  }
}
