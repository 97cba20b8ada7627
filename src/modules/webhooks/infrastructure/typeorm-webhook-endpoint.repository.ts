import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { WebhookEndpointRepository } from '../application/ports/webhook-endpoint.repository.js';
import { WebhookEndpoint } from '../domain/webhook-endpoint.js';

@Injectable()
export class TypeOrmWebhookEndpointRepository extends WebhookEndpointRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /** Locks the account's row, so that the second of two concurrent calls counts what the first added. */
  addUpTo(max: number, endpoint: WebhookEndpoint): Promise<boolean> {
    const { accountId } = endpoint;
    return this.database.runInLane(accountId, async () => {
      await this.database.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      if ((await this.rows().countBy({ accountId })) >= max) return false;
      await this.rows().insert(endpoint);
      return true;
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
