import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { AccountLock } from '../application/ports/account.repository.js';

@Injectable()
export class SqlAccountLock extends AccountLock {
  constructor(private readonly database: Database) {
    super();
  }

  async lock(accountId: string): Promise<void> {
    await this.database.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  }
}
