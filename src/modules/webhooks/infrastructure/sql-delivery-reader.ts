import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { idPrefix } from '../../../shared/ids.js';
import { DeliveryReader } from '../application/ports/delivery-reader.js';
import type {
  AttemptRecord,
  DeliveryBucket,
  DeliveryRecord,
  DeliveryState,
  DeliveryWithAttempts,
} from '../domain/webhook-delivery.js';
import { COUNT_BY_HOUR, FIND, LIST, LIST_ATTEMPTS, MAKE_DUE, MAKE_FAILED_DUE } from './webhook-delivery.sql.js';

@Injectable()
export class SqlDeliveryReader extends DeliveryReader {
  constructor(private readonly database: Database) {
    super();
  }

  list(
    accountId: string,
    endpointId: string,
    { state, beforeId, limit }: { state: DeliveryState | null; beforeId: string | null; limit: number },
  ): Promise<DeliveryRecord[]> {
    return this.database.read(LIST, [accountId, endpointId, state, beforeId, limit]);
  }

  async find(accountId: string, id: string): Promise<DeliveryWithAttempts | null> {
    const [delivery] = await this.database.query<DeliveryRecord & { body: string }>(FIND, [accountId, id]);
    if (!delivery) return null;
    return { ...delivery, recordedAttempts: await this.database.query<AttemptRecord>(LIST_ATTEMPTS, [accountId, id]) };
  }

  async makeDue(
    accountId: string,
    id: string,
    now: Date,
  ): Promise<'due' | 'in_progress' | 'endpoint_disabled' | 'missing'> {
    const values = [accountId, id, now];
    const [row] = await this.database.queryInLane<{ outcome: 'due' | 'in_progress' | 'endpoint_disabled' }>(
      accountId,
      MAKE_DUE,
      values,
    );
    return row?.outcome ?? 'missing';
  }

  async makeFailedDue(
    accountId: string,
    endpointId: string,
    { since, limit, now }: { since: Date; limit: number; now: Date },
  ): Promise<number> {
    const values = [accountId, endpointId, since, limit, now];
    const [row] = await this.database.queryInLane<{ count: number }>(accountId, MAKE_FAILED_DUE, values);
    return row?.count ?? 0;
  }

  countByHour(accountId: string, endpointId: string, since: Date): Promise<DeliveryBucket[]> {
    return this.database.read(COUNT_BY_HOUR, [accountId, endpointId, idPrefix(since)]);
  }
}
