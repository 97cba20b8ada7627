import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { DeliveryReader } from '../application/ports/delivery-reader.js';
import type { AttemptRecord, DeliveryRecord, DeliveryState, DeliveryWithAttempts } from '../domain/webhook-delivery.js';
import { FIND, LIST, LIST_ATTEMPTS, MAKE_DUE } from './webhook-delivery.sql.js';

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
    const [row] = await this.database.query<{ outcome: 'due' | 'in_progress' | 'endpoint_disabled' }>(MAKE_DUE, [
      accountId,
      id,
      now,
    ]);
    return row?.outcome ?? 'missing';
  }
}
