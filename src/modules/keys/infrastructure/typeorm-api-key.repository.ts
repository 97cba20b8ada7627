import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, In, IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';

import { MAX_KEYS } from '../../../config/limits.js';
import { selectList } from '../../../platform/database/columns.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { listParameter } from '../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../concurrency/batcher.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { type ApiKeyFilter, ApiKeyRepository } from '../application/ports/api-key.repository.js';
import { ApiKey, type ApiKeyChange, type ApiKeyStatus } from '../domain/api-key.js';
import { ApiKeySchema } from './api-key.schema.js';

@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  private readonly lookUps = new Batcher<Buffer, ApiKey | null>((hashes) => this.findAllBySecret(hashes), {
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  async add(key: ApiKey): Promise<void> {
    const accountId = key.testOf ?? key.accountId;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_KEYS, rows: 'API keys that are not revoked' },
      {
        count: () => this.rows().countBy({ accountId: managedBy(accountId), revokedAt: IsNull() }),
        add: () => this.rows().insert(key),
      },
    );
  }

  list(accountId: string, page: PageRequest, { status, mode }: ApiKeyFilter, now: Date): Promise<Page<ApiKey>> {
    const inMode = mode === null ? {} : { testOf: mode === 'live' ? IsNull() : Not(IsNull()) };
    const conditions = status === null ? [{}] : withStatus(status, now);
    return listNewestFirst(
      this.rows(),
      managedBy(accountId),
      page,
      conditions.map((condition) => ({ ...condition, ...inMode })),
    );
  }

  find(accountId: string, id: string): Promise<ApiKey | null> {
    return this.rows().findOneBy({ accountId: managedBy(accountId), id });
  }

  async changeUnlessRevoked(accountId: string, id: string, change: ApiKeyChange): Promise<boolean> {
    const { affected } = await this.rows().update({ accountId: managedBy(accountId), id, revokedAt: IsNull() }, change);
    return affected === 1;
  }

  async revoke(accountId: string, id: string, now: Date): Promise<ApiKey | null> {
    await this.rows().update({ accountId: managedBy(accountId), id, revokedAt: IsNull() }, { revokedAt: now });
    return this.find(accountId, id);
  }

  findBySecretAcrossAccounts(secretHash: Buffer): Promise<ApiKey | null> {
    return this.lookUps.add(secretHash);
  }

  async recordUseAcrossAccounts(id: string, now: Date, unlessAfter: Date): Promise<void> {
    await this.database.query(RECORD_USE, [id, now, unlessAfter]);
  }

  private async findAllBySecret(hashes: Buffer[]): Promise<(ApiKey | null)[]> {
    const rows = await this.database.prepared<ApiKey>('find_keys_by_secret', FIND_BY_SECRET, [hashes]);
    const keys = new Map(rows.map((row) => [row.secretHash.toString('hex'), Object.assign(new ApiKey(), row)]));
    return hashes.map((hash) => keys.get(hash.toString('hex')) ?? null);
  }

  private rows() {
    return this.database.manager.getRepository(ApiKey);
  }
}

/** The account itself has live keys, its test account the test keys. */
const managedBy = (accountId: string) => In([accountId, testAccountIdOf(accountId)]);

/** The same rule as `ApiKey.statusAt`. */
function withStatus(status: ApiKeyStatus, now: Date): FindOptionsWhere<ApiKey>[] {
  if (status === 'revoked') return [{ revokedAt: Not(IsNull()) }];
  if (status === 'expired') return [{ revokedAt: IsNull(), expiresAt: LessThanOrEqual(now) }];
  return [
    { revokedAt: IsNull(), expiresAt: IsNull() },
    { revokedAt: IsNull(), expiresAt: MoreThan(now) },
  ];
}

const FIND_BY_SECRET = `
  SELECT ${selectList(ApiKeySchema, 'k')} FROM api_keys k
  WHERE k.secret_hash = ANY (${listParameter('$1', 'bytea')})`;

/**
 * $1 key, $2 now, $3 unless it was used after. Every request of the key runs it until it is recorded: if they waited
 * for a lock on the key, they would take the connections of all accounts.
 */
const RECORD_USE = `
  UPDATE api_keys SET last_used_at = $2 WHERE id IN (
    SELECT id FROM api_keys WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)
    FOR NO KEY UPDATE SKIP LOCKED)`;
