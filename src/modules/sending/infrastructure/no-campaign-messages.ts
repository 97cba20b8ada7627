import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { toTotals } from '../../messages/index.js';
import { type CampaignIntakeOutcome, CampaignMessages } from '../application/ports/campaign-messages.js';

/** Accepts nothing: stands in until messages of campaigns can be stored. */
@Injectable()
export class NoCampaignMessages extends CampaignMessages {
  freeze(): Promise<void> {
    return Promise.resolve();
  }

  accept(): Promise<CampaignIntakeOutcome[]> {
    return Promise.reject(new DomainError('unavailable', 'no_campaigns', 'Campaigns cannot be sent yet'));
  }

  countPending(): Promise<number> {
    return Promise.resolve(0);
  }

  totals() {
    return Promise.resolve({ ...toTotals([]), unsubscribed: 0 });
  }

  findFailed(): Promise<string[]> {
    return Promise.resolve([]);
  }
}
