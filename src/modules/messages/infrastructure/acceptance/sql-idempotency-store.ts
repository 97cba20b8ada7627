import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../../concurrency/batcher.js';
import { unnestParameters } from '../../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Database } from '../../../../platform/database/database.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { IdempotencyStore } from '../../application/ports/idempotency-store.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import { IDEMPOTENCY_KEY_TTL } from './accept.sql.js';

interface LookUp {
  accountId: string;
  apiKeyId: string;
  key: string;
}

@Injectable()
export class SqlIdempotencyStore extends IdempotencyStore {
  private readonly lookUps = new Batcher<LookUp, IdempotencyRecord | undefined>((lookUps) => this.findAll(lookUps), {
    faults: POSTGRES_FAULTS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  find(accountId: string, apiKeyId: string, key: string): Promise<IdempotencyRecord | undefined> {
    return this.lookUps.add({ accountId, apiKeyId, key });
  }

  findMany(accountId: string, apiKeyId: string, keys: readonly string[]): Promise<(IdempotencyRecord | undefined)[]> {
    return this.findAll(keys.map((key) => ({ accountId, apiKeyId, key })));
  }

  async purgeExpiredAcrossAccounts(): Promise<void> {
    await this.database.deleteInBatches('idempotency_keys', IS_EXPIRED, [this.clock.now()]);
  }

  private async findAll(lookUps: LookUp[]): Promise<(IdempotencyRecord | undefined)[]> {
    const rows = await this.database.prepared<IdempotencyRecord & { position: string }>('find_idempotency_keys', FIND, [
      lookUps.map(({ accountId }) => accountId),
      lookUps.map(({ apiKeyId }) => apiKeyId),
      lookUps.map(({ key }) => key),
      this.clock.now(),
    ]);
    const found = new Map(rows.map(({ position, ...record }) => [Number(position), record]));
    return lookUps.map((_, i) => found.get(i + 1));
  }
}

const FIND = `
  SELECT w.position, k.fingerprint, k.message_id AS "messageId", k.results AS entries
  FROM ${unnestParameters('text', 'text', 'text')} WITH ORDINALITY AS w (account_id, api_key_id, key, position)
  JOIN idempotency_keys k USING (account_id, api_key_id, key)
  WHERE k.created_at > $4::timestamptz - ${IDEMPOTENCY_KEY_TTL}`;

/** $1 now. */
const IS_EXPIRED = `created_at <= $1::timestamptz - ${IDEMPOTENCY_KEY_TTL}`;
