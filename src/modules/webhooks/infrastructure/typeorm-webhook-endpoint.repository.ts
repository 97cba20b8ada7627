import { Injectable } from '@nestjs/common';

import { MAX_WEBHOOK_ENDPOINTS } from '../../../config/limits.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { WebhookEndpointRepository } from '../application/ports/webhook-endpoint.repository.js';
import { WebhookEndpoint } from '../domain/webhook-endpoint.js';

const ENDPOINTS = { max: MAX_WEBHOOK_ENDPOINTS, rows: 'webhook endpoints' };

@Injectable()
export class TypeOrmWebhookEndpointRepository extends WebhookEndpointRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(endpoint: WebhookEndpoint): Promise<void> {
    const { accountId } = endpoint;
    await addWithinLimit(this.database, accountId, ENDPOINTS, {
      count: () => this.rows().countBy({ accountId }),
      add: () => this.rows().insert(endpoint),
    });
  }

  list(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<WebhookEndpoint | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  /** NO KEY, so that deliveries to the endpoint can still be added. */
  findAndLock(accountId: string, id: string): Promise<WebhookEndpoint | null> {
    return this.rows().findOne({ where: { accountId, id }, lock: { mode: 'for_no_key_update' } });
  }

  async save(endpoint: WebhookEndpoint): Promise<void> {
    const { accountId, id } = endpoint;
    await this.rows().update({ accountId, id }, endpoint);
  }

  async remove(accountId: string, id: string, now: Date): Promise<WebhookEndpoint | null> {
    return this.database.runInLane(accountId, async () => {
      const endpoint = await this.findAndLock(accountId, id);
      if (endpoint) await this.rows().update({ accountId, id }, { enabled: false, deletedAt: now });
      return endpoint;
    });
  }

  private rows() {
    return this.database.manager.getRepository(WebhookEndpoint);
  }
}
