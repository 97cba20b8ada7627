import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { HAS_OTHER_SERVER } from './feed-position.sql.js';
import { moveFeedPositions } from './move-feed-positions.js';

/** Notices at the start that the database was moved to another server, recovered, or promoted. */
@Injectable()
export class FeedServerCheck implements OnModuleInit {
  private readonly logger = new Logger('EventFeed');

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    const moved = await this.database.query(HAS_OTHER_SERVER);
    if (moved.length === 0) return;
    await moveFeedPositions(this.database);
    this.logger.log('The database is on another server or timeline: the positions of the event feed were moved');
  }
}
