import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../shared/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import type { SmtpVendor } from '../../../shared/account-provider.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { type EventSource, EventSources } from '../application/ports/event-sources.js';

interface Row {
  id: string;
  topicArn: string | null;
  vendor: SmtpVendor | null;
  sealedKey: string | null;
  smsTopicArn: string | null;
  sealedSmsKey: string | null;
}

@Injectable()
export class SqlEventSources extends EventSources {
  private readonly lookUps = new Batcher<string, EventSource | null>((ids) => this.findAll(ids), {
    maxSize: 200,
    faults: POSTGRES_FAULTS,
  });

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  find(accountId: string): Promise<EventSource | null> {
    return this.lookUps.add(accountId);
  }

  private async findAll(ids: string[]): Promise<(EventSource | Error | null)[]> {
    const rows = await this.database.prepared<Row>('find_event_sources', FIND, [[...new Set(ids)]]);
    const sources = new Map(rows.map((row) => [row.id, this.toSource(row)]));
    return ids.map((id) => sources.get(id) ?? null);
  }

  /** Returns an error if a key cannot be decrypted, so that only the calls for this account fail. */
  private toSource({ topicArn, vendor, sealedKey, smsTopicArn, sealedSmsKey }: Row): EventSource | Error {
    const open = (sealed: string | null) => (sealed === null ? null : this.secrets.open(sealed));
    try {
      const [signingKey, smsSigningKey] = [open(sealedKey), open(sealedSmsKey)];
      return { topicArn, vendor: vendor ?? 'generic', signingKey, smsTopicArn, smsSigningKey };
    } catch (error) {
      return error as Error;
    }
  }
}

const FIND = `
  SELECT id, ses ->> 'topicArn' AS "topicArn", smtp ->> 'vendor' AS vendor, smtp ->> 'sealedEventSigningKey' AS "sealedKey",
    sms ->> 'topicArn' AS "smsTopicArn", sms ->> 'sealedEventSigningKey' AS "sealedSmsKey"
  FROM accounts WHERE id = ANY($1)`;
