import { createPrivateKey } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { type SigningKey, SigningKeys } from '../application/ports/signing-keys.js';

const FRESH_FOR_MS = 60_000;
const MAX_REMEMBERED = 1_000;

interface Row {
  selector: string;
  sealedKey: string;
}

@Injectable()
export class SqlSigningKeys extends SigningKeys {
  /** Misses too. The oldest first. */
  private readonly remembered = new Map<string, { key: Promise<SigningKey | null>; until: number }>();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {
    super();
  }

  find(accountId: string, domainName: string): Promise<SigningKey | null> {
    const now = this.clock.now().getTime();
    const of = `${accountId} ${domainName}`;
    const known = this.remembered.get(of);
    if (known && known.until > now) return known.key;
    const key = this.read(accountId, domainName);
    key.catch(() => this.remembered.delete(of));
    this.remembered.delete(of);
    this.remembered.set(of, { key, until: now + FRESH_FOR_MS });
    if (this.remembered.size > MAX_REMEMBERED) this.forgetOldest();
    return key;
  }

  private async read(accountId: string, domainName: string): Promise<SigningKey | null> {
    const [row] = await this.database.prepared<Row>('find_signing_key', FIND, [accountId, domainName]);
    if (!row) return null;
    const privateKey = createPrivateKey(this.secrets.open(row.sealedKey));
    return { domainName, selector: row.selector, privateKey };
  }

  private forgetOldest(): void {
    for (const oldest of this.remembered.keys()) {
      this.remembered.delete(oldest);
      return;
    }
  }
}

const FIND = `
  SELECT dkim_selector AS selector, sealed_dkim_key AS "sealedKey" FROM domains
  WHERE account_id = $1 AND name = $2 AND set_up_for = 'smtp' AND dkim_status = 'verified' AND sealed_dkim_key IS NOT NULL`;
