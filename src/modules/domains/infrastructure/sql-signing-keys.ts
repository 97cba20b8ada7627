import { createPrivateKey } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { SERVICE_KEY } from '../../../shared/provider-key.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';
import { type SigningKey, SigningKeys } from '../application/ports/signing-keys.js';

const FRESH_FOR_MS = 60_000;
const MAX_CACHED = 1_000;

interface Row {
  selector: string;
  sealedKey: string;
}

@Injectable()
export class SqlSigningKeys extends SigningKeys {
  /** Caches misses, too. */
  private readonly cache: TtlCache<SigningKey | null>;

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    changes: AccountChanges,
    clock: Clock,
  ) {
    super();
    this.cache = new TtlCache({
      max: MAX_CACHED,
      freshForMs: FRESH_FOR_MS,
      now: () => clock.now().getTime(),
    });
    changes.onChange((accountId) => {
      this.cache.forget((key) => accountId === null || key.startsWith(`${accountId} `));
    });
  }

  find(accountId: string, domainName: string): Promise<SigningKey | null> {
    return this.cache.get(`${accountId} ${domainName}`, () => this.read(accountId, domainName));
  }

  private async read(accountId: string, domainName: string): Promise<SigningKey | null> {
    const [row] = await this.database.prepared<Row>('find_signing_key', FIND, [accountId, domainName]);
    if (!row) return null;
    const privateKey = createPrivateKey(this.secrets.open(row.sealedKey));
    return { domainName, selector: row.selector, privateKey };
  }
}

const FIND = `
  SELECT dkim_selector AS selector, sealed_dkim_key AS "sealedKey" FROM domains
  WHERE account_id = $1 AND name = $2 AND set_up_for = '${SERVICE_KEY}' AND dkim_status = 'verified' AND sealed_dkim_key IS NOT NULL`;
