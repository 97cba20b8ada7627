import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { SeenReports, type Sighting } from '../application/ports/seen-reports.js';
import { FORGET, SEE } from './unmatched-event.sql.js';

@Injectable()
export class SqlSeenReports extends SeenReports {
  constructor(private readonly database: Database) {
    super();
  }

  async see(sightings: readonly Sighting[], now: Date): Promise<('first' | 'again' | 'misused')[]> {
    if (sightings.length === 0) return [];
    const rows = sightings.map((sighting, position) => ({ ...sighting, position }));
    const seen = await this.database.query<{ sighting: 'first' | 'again' | 'misused' }>(SEE, [
      JSON.stringify(rows),
      now,
    ]);
    return seen.map(({ sighting }) => sighting);
  }

  async forgetAcrossAccounts(now: Date): Promise<void> {
    await this.database.query(FORGET, [now]);
  }
}
