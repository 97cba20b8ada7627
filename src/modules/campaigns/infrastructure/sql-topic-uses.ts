import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { TopicUses } from '../../topics/index.js';

@Injectable()
export class SqlTopicUses extends TopicUses {
  constructor(private readonly database: Database) {
    super();
  }

  async findCampaign(accountId: string, topicId: string): Promise<string | null> {
    const [campaign] = await this.database.query<{ name: string }>(FIND_UNENDED, [accountId, topicId]);
    return campaign?.name ?? null;
  }
}

/** $1 account, $2 topic. */
const FIND_UNENDED = `
  SELECT c.name FROM campaigns c
  WHERE c.account_id = $1 AND c.topic_id = $2 AND c.status IN ('scheduled', 'running', 'paused') AND c.deleted_at IS NULL
  ORDER BY c.id LIMIT 1`;
