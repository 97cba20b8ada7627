import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { AttributeKeys } from '../application/ports/attribute-keys.js';

@Injectable()
export class SqlAttributeKeys extends AttributeKeys {
  constructor(private readonly database: Database) {
    super();
  }

  async list(accountId: string, limit: number): Promise<string[]> {
    const rows = await this.database.read<{ key: string }>(LIST_KEYS, [accountId, limit]);
    return rows.map(({ key }) => key);
  }
}

const LIST_KEYS = `
  SELECT DISTINCT key COLLATE "C" AS key FROM contacts c CROSS JOIN LATERAL jsonb_object_keys(c.attributes) AS keys (key)
  WHERE c.account_id = $1 AND c.attributes IS NOT NULL ORDER BY key LIMIT $2`;
