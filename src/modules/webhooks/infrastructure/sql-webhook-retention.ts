import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { idPrefix } from '../../../shared/ids.js';
import { WebhookRetention } from '../application/ports/webhook-delivery.repository.js';

interface Step {
  last: string | null;
  seen: number;
}

@Injectable()
export class SqlWebhookRetention extends WebhookRetention {
  constructor(private readonly database: Database) {
    super();
  }

  async purgeAcrossAccounts(before: Date, afterId: string, limit: number): Promise<string | null> {
    return nextAfter(await this.database.query<Step>(PURGE, [afterId, idPrefix(before), before, limit]), limit);
  }

  async listDeletedEndpointsAcrossAccounts(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM webhook_endpoints WHERE deleted_at IS NOT NULL ORDER BY id',
    );
    return rows.map(({ id }) => id);
  }

  async removeEndpointAcrossAccounts(endpointId: string, afterId: string, limit: number): Promise<string | null> {
    const next = nextAfter(await this.database.query<Step>(REMOVE_DELIVERIES, [endpointId, afterId, limit]), limit);
    if (next === null)
      await this.database.query('DELETE FROM webhook_endpoints WHERE id = $1 AND deleted_at IS NOT NULL', [endpointId]);
    return next;
  }
}

const nextAfter = ([step]: Step[], limit: number): string | null => (step?.seen === limit ? step.last : null);

/**
 * $1 the last id of the previous step, $2 the first id and $3 the first time to keep, $4 limit. Each step continues
 * after the previous one: from the beginning it would read past all dead rows.
 */
const PURGE = `
  WITH seen AS MATERIALIZED (
    SELECT id, endpoint_id FROM webhook_deliveries WHERE id > $1 AND id < $2 ORDER BY id LIMIT $4 FOR UPDATE
  ), purged AS (
    DELETE FROM webhook_deliveries d USING seen s JOIN webhook_endpoints e ON e.id = s.endpoint_id
    WHERE d.id = s.id AND (d.completed_at < $3 OR (d.due_at < $3 AND NOT e.enabled AND e.disabled_at < $3))
  )
  SELECT max(id) AS last, count(*)::integer AS seen FROM seen`;

/** $1 endpoint, $2 the last id of the previous step, $3 limit. */
const REMOVE_DELIVERIES = `
  WITH seen AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE
  ), removed AS (
    DELETE FROM webhook_deliveries d USING seen s WHERE d.id = s.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen FROM seen`;
