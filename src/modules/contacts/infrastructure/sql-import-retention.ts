import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { ImportRetention } from '../application/ports/import-retention.js';
import { LET_GO } from './contact-import.sql.js';

@Injectable()
export class SqlImportRetention extends ImportRetention {
  constructor(private readonly database: Database) {
    super();
  }

  async letGoAcrossAccounts(now: Date): Promise<void> {
    for (const statement of LET_GO) await this.database.query(statement, [now]);
  }
}
