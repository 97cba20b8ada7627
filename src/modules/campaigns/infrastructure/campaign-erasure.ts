import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { ERASED_RECIPIENT } from '../../messages/index.js';

/** Erases the address from the audiences of campaigns. */
@Injectable()
export class CampaignErasure extends RecipientErasure {
  constructor(private readonly database: Database) {
    super();
  }

  async erase(accountId: string, email: string): Promise<number> {
    await this.database.query(ERASE, [accountId, email]);
    return 0;
  }
}

const ERASE = `
  UPDATE campaign_recipients r SET email = '${ERASED_RECIPIENT}', normalised_email = NULL FROM campaigns c
  WHERE c.account_id = $1 AND r.campaign_id = c.id AND r.normalised_email = $2`;
