import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { Channel } from '../../../shared/channel.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type DeliveryPause, DeliveryPauses } from '../application/ports/delivery-pauses.js';

@Injectable()
export class SqlDeliveryPauses extends DeliveryPauses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async find(accountId: string, channel: Channel): Promise<DeliveryPause | null> {
    const [pause] = await this.database.query<DeliveryPause>(
      'SELECT reason, since, until FROM delivery_pauses WHERE account_id = $1 AND channel = $2 AND until > $3',
      [accountId, channel, this.clock.now()],
    );
    return pause ?? null;
  }

  async begin(
    accountId: string,
    channel: Channel,
    { reason, until, settingsAt }: { reason: string; until: Date; settingsAt: Date },
  ): Promise<void> {
    await this.database.query(BEGIN, [accountId, channel, reason, this.clock.now(), until, settingsAt]);
  }

  async end(accountId: string, channel: Channel): Promise<void> {
    await this.database.query('DELETE FROM delivery_pauses WHERE account_id = $1 AND channel = $2', [
      accountId,
      channel,
    ]);
  }
}

/** A pause that ended less than an hour ago is continued: it keeps its start. */
const BEGIN = `
  INSERT INTO delivery_pauses AS p (account_id, channel, reason, since, until)
  SELECT id, $2, $3, $4, $5 FROM accounts WHERE id = $1 AND updated_at <= $6
  ON CONFLICT (account_id, channel) DO UPDATE SET reason = excluded.reason, until = greatest(p.until, excluded.until),
    since = CASE WHEN p.until < excluded.since - interval '1 hour' THEN excluded.since ELSE p.since END`;
