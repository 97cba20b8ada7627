import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
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

  async find(accountId: string): Promise<DeliveryPause | null> {
    const [pause] = await this.database.query<DeliveryPause>(
      'SELECT reason, since, until FROM delivery_pauses WHERE account_id = $1 AND until > $2',
      [accountId, this.clock.now()],
    );
    return pause ?? null;
  }

  async begin(
    accountId: string,
    { reason, until, settingsAt }: { reason: string; until: Date; settingsAt: Date },
  ): Promise<void> {
    await this.database.query(BEGIN, [accountId, reason, this.clock.now(), until, settingsAt]);
  }

  async end(accountId: string): Promise<void> {
    await this.database.query('DELETE FROM delivery_pauses WHERE account_id = $1', [accountId]);
  }
}

/** One that ran out an hour ago is another one; since less, it is the same that goes on. */
const BEGIN = `
  INSERT INTO delivery_pauses AS p (account_id, reason, since, until)
  SELECT id, $2, $3, $4 FROM accounts WHERE id = $1 AND updated_at <= $5
  ON CONFLICT (account_id) DO UPDATE SET reason = excluded.reason, until = greatest(p.until, excluded.until),
    since = CASE WHEN p.until < excluded.since - interval '1 hour' THEN excluded.since ELSE p.since END`;
