import { Injectable } from '@nestjs/common';

import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { Database } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import { newId } from '../../../shared/ids.js';
import { ClaimLostError, ImportClaims } from '../application/ports/import-claims.js';
import type { ClaimedImport, RowCounts, RowError } from '../domain/contact-import.js';
import {
  ADVANCE_IMPORT,
  CLAIM_IMPORT,
  FINISH_IMPORT,
  LIST_WAITING,
  RECORD_TOTAL,
  RELEASE_IMPORT,
  RENEW_IMPORT,
} from './import.sql.js';

@Injectable()
export class SqlImportClaims extends ImportClaims {
  constructor(
    private readonly database: Database,
    private readonly databaseClock: DatabaseClock,
  ) {
    super();
  }

  async claim(accountId: string, now: Date): Promise<{ claimed: ClaimedImport; attempt: number } | null> {
    const values = [accountId, newId(now), this.databaseClock.steadyNow()];
    const [row] = await this.database
      .query<ClaimedImport & { attempt: number }>(CLAIM_IMPORT, values)
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'uq_contact_imports_running')) return [];
        throw error;
      });
    if (!row) return null;
    const { attempt, ...claimed } = row;
    return { claimed, attempt };
  }

  renew(claimed: ClaimedImport): Promise<void> {
    return this.update(RENEW_IMPORT, claimed);
  }

  recordTotal(claimed: ClaimedImport, total: number): Promise<void> {
    return this.update(RECORD_TOTAL, claimed, total);
  }

  advance(claimed: ClaimedImport, counts: RowCounts, errors: readonly RowError[]): Promise<void> {
    const { processed, created, updated, skipped, failed } = counts;
    const added = [processed, created, updated, skipped, failed, JSON.stringify(errors)];
    return this.update(ADVANCE_IMPORT, claimed, ...added);
  }

  async release({ accountId, id, claimId }: ClaimedImport): Promise<void> {
    await this.database.query(RELEASE_IMPORT, [accountId, id, claimId]);
  }

  async finish({ accountId, id, claimId }: ClaimedImport, error: string | null, now: Date): Promise<void> {
    await this.database.query(FINISH_IMPORT, [accountId, id, claimId, error, now]);
  }

  async listWaitingAcrossAccounts(): Promise<string[]> {
    const rows = await this.database.query<{ accountId: string }>(LIST_WAITING);
    return rows.map(({ accountId }) => accountId);
  }

  private async update(text: string, { accountId, id, claimId }: ClaimedImport, ...more: unknown[]) {
    const updated = await this.database.query(text, [accountId, id, claimId, ...more]);
    if (updated.length === 0) throw new ClaimLostError(`Another worker has the import ${id}`);
  }
}
