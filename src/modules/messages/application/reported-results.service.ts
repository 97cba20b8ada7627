import { Injectable } from '@nestjs/common';

import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import type { ReportedTotals } from '../domain/message-totals.js';

/** Finds out which results of an account's messages are reported. */
@Injectable()
export class ReportedResults {
  constructor(private readonly providers: ProviderDirectory) {}

  /** Reads the present settings. Null stands for both channels: one that reports deliveries suffices. */
  async find(accountId: string, channel: Channel | null): Promise<ReportedTotals> {
    const reported = await this.providers.reportedResults(accountId);
    if (channel !== null) return reported[channel];
    return { ...reported.email, deliveries: reported.email.deliveries || reported.sms.deliveries };
  }
}
