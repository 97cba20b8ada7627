import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { quietUntil } from '../../../shared/quiet-hours.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

@Injectable()
export class QuietHoursOfAccount {
  constructor(
    private readonly directory: ProviderDirectory,
    private readonly clock: Clock,
  ) {}

  /** The end of the quiet hours in which the message must not be sent now; null if it may be. */
  async until({
    accountId,
    channel,
    topicId,
  }: Pick<ClaimedMessage, 'accountId' | 'channel' | 'topicId'>): Promise<Date | null> {
    if (channel !== 'sms' || topicId === null) return null;
    const hours = await this.directory.smsQuietHours(accountId);
    return hours && quietUntil(this.clock.now(), hours);
  }
}
