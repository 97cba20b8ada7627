import { Injectable } from '@nestjs/common';

import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import type { ReportedTotals } from '../domain/message-totals.js';

/** Which results of the messages of an account are reported. */
@Injectable()
export class ReportedResults {
  constructor(private readonly providers: ProviderDirectory) {}

  /** By the present settings. Null: of messages of both channels, of which one suffices. */
  async find(accountId: string, channel: Channel | null): Promise<ReportedTotals> {
    const reported = await this.providers.reportedResults(accountId);
    if (channel !== null) return reported[channel];
    return { ...reported.email, deliveries: reported.email.deliveries || reported.sms.deliveries };
  }
}
