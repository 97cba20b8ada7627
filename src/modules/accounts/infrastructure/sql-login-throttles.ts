import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { LoginThrottles } from '../application/ports/login-throttles.js';

@Injectable()
export class SqlLoginThrottles extends LoginThrottles {
  constructor(private readonly database: Database) {
    super();
  }

  async count(address: string, now: Date, newWindowEndsAt: Date): Promise<{ attempts: number; windowEndsAt: Date }> {
    const [counted] = await this.database.query<{ attempts: number; windowEndsAt: Date }>(COUNT, [
      address,
      now,
      newWindowEndsAt,
    ]);
    if (!counted) throw new Error('An attempt was not counted');
    return counted;
  }

  async takeBack(address: string, windowEndsAt: Date): Promise<void> {
    await this.database.query(TAKE_BACK, [address, windowEndsAt]);
  }

  async removeEnded(now: Date): Promise<void> {
    await this.database.query('DELETE FROM login_throttles WHERE window_ends_at <= $1', [now]);
  }
}

const TAKE_BACK = `
  UPDATE login_throttles SET failures = failures - 1 WHERE address = $1 AND window_ends_at = $2 AND failures > 0`;

const COUNT = `
  INSERT INTO login_throttles AS t (address, failures, window_ends_at) VALUES ($1, 1, $3)
  ON CONFLICT (address) DO UPDATE SET
    failures = CASE WHEN t.window_ends_at <= $2 THEN 1 ELSE t.failures + 1 END,
    window_ends_at = CASE WHEN t.window_ends_at <= $2 THEN $3 ELSE t.window_ends_at END
  RETURNING failures AS attempts, window_ends_at AS "windowEndsAt"`;
