import { Injectable } from '@nestjs/common';

import { JOB_EXPECTED_WITHIN_MS } from '../../../../config/limits.js';
import { Database } from '../../../../platform/database/database.js';
import type { DeliveryLane } from '../../../../shared/channel.js';
import { newIds } from '../../../../shared/ids.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { type OwnMessages, ScheduledDeliveries } from '../../application/ports/scheduled-deliveries.js';
import type { PendingDelivery } from '../../domain/delivery.js';
import type { MessageStatus } from '../../domain/message-log.js';
import { STATUSES } from '../queries/message-rows.sql.js';
import { CANCEL, RELEASE, RESCHEDULE } from './delivery.sql.js';

/**
 * Messages of one account that this process has released and no worker has claimed; bulk SMS are counted apart. This
 * many e-mails take about a second.
 */
const MAX_RELEASED_PER_ACCOUNT = 2_500;
/** Messages released in one statement. Accounts for which there is no room follow in the next ones. */
const MAX_RELEASED_AT_A_TIME = 10_000;
/** How long a released message is left to the queue before the sweep enqueues it again. */
const SWEEP_AFTER_MS = 5 * 60_000;

@Injectable()
export class SqlScheduledDeliveries extends ScheduledDeliveries {
  /**
   * The times when released messages are swept: a different one for each call, which identifies them until they are
   * claimed.
   */
  private released: Date[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async releaseDueAcrossAccounts(): Promise<PendingDelivery[]> {
    const now = this.clock.now();
    this.released = this.released.filter((sweepAt) => sweepAt > now);
    const sweepAt = new Date(now.getTime() + SWEEP_AFTER_MS);
    const values = [sweepAt, this.released, MAX_RELEASED_PER_ACCOUNT, MAX_RELEASED_AT_A_TIME];
    const due = await this.database.query<PendingDelivery>(RELEASE, values);
    if (due.length > 0) this.released.push(sweepAt);
    return due;
  }

  async cancel({ accountId, apiKeyId }: OwnMessages, ids: readonly string[]): Promise<string[]> {
    const now = this.clock.now();
    const values = [accountId, ids, apiKeyId, now, newIds(now, ids.length)];
    return (await this.database.queryInLane<{ id: string }>(accountId, CANCEL, values)).map(({ id }) => id);
  }

  async reschedule({ accountId, apiKeyId }: OwnMessages, id: string, at: Date | null): Promise<DeliveryLane | null> {
    const now = this.clock.now();
    const sweepAt = new Date(now.getTime() + JOB_EXPECTED_WITHIN_MS);
    const values = [accountId, [id], apiKeyId, at, now, sweepAt];
    const [moved] = await this.database.queryInLane<{ lane: DeliveryLane }>(accountId, RESCHEDULE, values);
    return moved?.lane ?? null;
  }

  async statuses({ accountId, apiKeyId }: OwnMessages, ids: readonly string[]): Promise<Map<string, MessageStatus>> {
    const rows = await this.database.query<{ id: string; status: MessageStatus }>(STATUSES, [accountId, ids, apiKeyId]);
    return new Map(rows.map(({ id, status }) => [id, status]));
  }
}
