import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type Occurrence, type SeenReport, SeenReports } from '../application/ports/seen-reports.js';
import { ADD_SEEN, IS_EXPIRED_SEEN } from './unmatched-event.sql.js';

@Injectable()
export class SqlSeenReports extends SeenReports {
  constructor(private readonly database: Database) {
    super();
  }

  async add(reports: readonly SeenReport[], now: Date): Promise<Occurrence[]> {
    if (reports.length === 0) return [];
    const rows = reports.map((report, position) => ({ ...report, position }));
    const seen = await this.database.query<{ occurrence: Occurrence }>(ADD_SEEN, [JSON.stringify(rows), now]);
    return seen.map(({ occurrence }) => occurrence);
  }

  async expireAcrossAccounts(now: Date): Promise<void> {
    await this.database.deleteInBatches('seen_reports', IS_EXPIRED_SEEN, [now]);
  }
}
