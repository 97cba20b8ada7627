import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { listParameter } from '../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import type { StoredSettings } from '../../../shared/account-settings.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { ProviderSettings } from '../application/ports/provider-settings.js';

@Injectable()
export class SqlProviderSettings extends ProviderSettings {
  private readonly lookUps = new Batcher<string, StoredSettings | null>((ids) => this.findAll(ids), {
    maxSize: 200,
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string): Promise<StoredSettings | null> {
    return this.lookUps.add(accountId);
  }

  private async findAll(ids: string[]): Promise<(StoredSettings | null)[]> {
    const rows = await this.database.prepared<StoredSettings & { id: string }>('find_provider_settings', FIND, [
      [...new Set(ids)],
    ]);
    const settings = new Map(rows.map(({ id, ...stored }) => [id, stored]));
    return ids.map((id) => settings.get(id) ?? null);
  }
}

const FIND = `
  SELECT id, email_provider AS "emailProvider", smtp, ses, sms, tracking, tracking_consent AS "trackingConsent",
    updated_at AS "updatedAt"
  FROM accounts WHERE id = ANY (${listParameter('$1')})`;
