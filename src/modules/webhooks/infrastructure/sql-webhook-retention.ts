import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { nextAfter, type Step } from '../../../platform/database/steps.js';
import { idPrefix } from '../../../shared/ids.js';
import { WebhookRetention } from '../application/ports/webhook-delivery.repository.js';

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
    if (next === null) await this.database.query(REMOVE_ENDPOINT, [endpointId]);
    return next;
  }
}

/**
 * $1 the last id of the previous step, $2 the first id and $3 the first time to keep, $4 limit. Each step continues
 * after the previous one: from the beginning it would read past all dead rows. Locked rows, for instance of a retry,
 * are left to the next purge: the statement is for many accounts and waits for none.
 */
const PURGE = `
  WITH seen AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE id > $1 AND id < $2 ORDER BY id LIMIT $4
  ), expired AS MATERIALIZED (
    SELECT d.id FROM seen s JOIN webhook_deliveries d ON d.id = s.id JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.completed_at < $3 OR (d.due_at < $3 AND NOT e.enabled AND e.disabled_at < $3)
    FOR UPDATE OF d SKIP LOCKED
  ), purged AS (
    DELETE FROM webhook_deliveries d USING expired x WHERE d.id = x.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen FROM seen`;

/**
 * $1 endpoint, $2 the last id of the previous step, $3 limit. Locked rows are left to the next run, which removes the
 * endpoint as well: those of other accounts are removed after it.
 */
const REMOVE_DELIVERIES = `
  WITH seen AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM webhook_deliveries d USING seen s WHERE d.id = s.id
  )
  SELECT max(id) AS last, count(*)::integer AS seen FROM seen`;

/** $1 endpoint. */
const REMOVE_ENDPOINT = `
  DELETE FROM webhook_endpoints WHERE id IN (
    SELECT e.id FROM webhook_endpoints e WHERE e.id = $1 AND e.deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
    FOR UPDATE SKIP LOCKED)`;
