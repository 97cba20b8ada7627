import { Injectable } from '@nestjs/common';

import { isSimulated, Providers, type SendingLimit } from '../../../providers/index.js';
import type { Channel } from '../../../shared/channel.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

export type { SendingLimit };

/** Finds how many messages per second an account's provider accepts on a channel. */
@Injectable()
export class SendingLimits {
  constructor(
    private readonly directory: ProviderDirectory,
    private readonly providers: Providers,
  ) {}

  /** Null if there is no limit. */
  async find(accountId: string, channel: Channel): Promise<SendingLimit | null> {
    if (channel === 'sms') {
      const connection = await this.directory.findSms(accountId);
      return (connection && (await this.providers.sms(connection).limitOf?.(connection, accountId))) ?? null;
    }
    const connection = await this.directory.find(accountId);
    if (!connection || isSimulated(connection)) return null;
    return (await this.providers.email(connection).limitOf?.(connection, accountId)) ?? null;
  }
}
